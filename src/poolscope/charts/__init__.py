"""Values in, plotly figure out; colours by role."""
