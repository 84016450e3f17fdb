"""What each selection rule puts into the context of a language model, and what it costs."""
