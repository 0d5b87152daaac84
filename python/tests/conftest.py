"""Which tests run: those of PyTorch where it is installed."""

import importlib.util

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["*torch*"]
