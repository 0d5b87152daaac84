"""Sphinx's configuration of the documentation site, which `build.py` builds."""

project = "binade"
author = "the binade authors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "sphinx_design"]
html_theme = "furo"
html_title = "binade"
html_static_path = []
html_extra_path = []
html_copy_source = False
html_show_copyright = False
pygments_style = "friendly"
pygments_dark_style = "monokai"

myst_enable_extensions = ["colon_fence", "dollarmath"]
# Headings up to the third level can be linked to, as GitHub does.
myst_heading_anchors = 3
# Notebooks are run when the site is built, each in its own folder, and must come to their end.
nb_execution_mode = "force"
# It needs PyTorch and a model, and is committed with its outputs.
nb_execution_excludepatterns = ["**/language_model.ipynb"]
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_execution_show_tb = True
nb_merge_streams = True
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

# Docstrings have names of parameters and code in single quotes.
default_role = "literal"
# Neither is needed to read what the package says about itself.
autodoc_mock_imports = ["torch", "ray"]
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"

# Pages that are read from others, or by their files; and transitions where the sources' headings skip a level.
suppress_warnings = ["toc.not_included", "myst.header"]
