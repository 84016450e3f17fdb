"""Poolscope: ``streamlit run app.py``."""

from poolscope.ui import navigation

navigation.run()
