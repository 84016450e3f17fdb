"""The Explain page."""

from poolscope.ui import navigation
from poolscope.ui.views import explain

navigation.show_page(explain.render)
