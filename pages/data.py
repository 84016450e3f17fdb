"""The Data page."""

from poolscope.ui import navigation
from poolscope.ui.views import data

navigation.show_page(data.render)
