"""The Annotate page."""

from poolscope.ui import navigation
from poolscope.ui.views import annotate

navigation.show_page(annotate.render)
