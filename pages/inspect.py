"""The Inspect page."""

from poolscope.ui import navigation
from poolscope.ui.views import inspect

navigation.show_page(inspect.render)
