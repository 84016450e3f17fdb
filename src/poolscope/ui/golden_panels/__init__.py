"""Panels over an open golden set: agreement and adjudication, suggestions, files in and out.

Each module has one public function ``draw(store, who, …)``. None opens a store, none asks who is
at work. What was written is seen by the page at its next run, which a panel asks for itself.

- ``agreement.draw(store, who, question)``
- ``suggestions.draw(store, who, question, pool)``, ``pool`` being that question's, or ``None``
- ``files.draw(store, who, question, pool)``, the same
"""
