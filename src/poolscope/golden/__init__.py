"""The golden set: questions, their facets, and which passages support them, by whom.

``open_store`` opens one; ``Store.send`` keeps a stroke. SQL stays in this package.
"""
