"""The Data page."""

from poolscope.ui.views import data

data.render()
