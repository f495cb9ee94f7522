"""The documentation site: `make docs` builds it into docs/_site."""

from importlib.metadata import version as installed

project = "Ridotto"
author = "The authors of Ridotto"
release = version = installed("ridotto")
extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_site", "bots"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", ".*")]  # types of parameters need not have a page of their own

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "undoc-members": False}

html_theme = "furo"
html_title = f"Ridotto {release}"
html_show_sourcelink = False
