"""The golden set decides: exact sweeps over annotated questions, and what they are worth.

Evaluating one question is a pure function of the question and a policy (``sweep.curve``,
``sweep.outcome``), so that any engine can map it; ``run.sweep`` maps it over this machine's cores.
"""
