"""The Present page."""

from poolscope.ui import navigation
from poolscope.ui.views import present

navigation.show_page(present.render)
