"""The Hand over page."""

from poolscope.ui import navigation
from poolscope.ui.views import hand_over

navigation.show_page(hand_over.render)
