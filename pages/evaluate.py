"""The Evaluate page."""

from poolscope.ui import navigation
from poolscope.ui.views import evaluate

navigation.show_page(evaluate.render)
