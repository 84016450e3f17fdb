"""What is handed on: a setting as code for other systems."""

from poolscope.report.base import Dialect, Snippet, Status
from poolscope.report.snippets import DIALECTS, snippets

__all__ = ["DIALECTS", "Dialect", "Snippet", "Status", "snippets"]
