"""From what somebody asks for to the rows that it changes, or to a conflict. Writes nothing."""

from poolscope.golden.steps import facets, marks, questions, taking_back
from poolscope.golden.steps.marks import attendance
from poolscope.golden.steps.scene import Scene, Step, step

__all__ = ["Scene", "Step", "attendance", "facets", "marks", "questions", "step", "taking_back"]
