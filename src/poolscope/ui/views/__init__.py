"""One module a page, each with one public function, ``render``."""
