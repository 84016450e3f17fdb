"""The Inspect page."""

from poolscope.ui.views import inspect

inspect.render()
