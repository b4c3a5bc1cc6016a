"""Start JupyterLab as the arguments say, see that it answers, end it, and see that it is gone."""

import sys
import tempfile
from pathlib import Path

import httpx

from agent_mini.workbook.lab_process import running_lab

with tempfile.TemporaryDirectory() as folder:
    # The first `uv run` in a new clone installs everything before it starts.
    with running_lab(Path(folder), sys.argv[1:], start_timeout=300) as address:
        httpx.get(address, timeout=30, follow_redirects=True, trust_env=False).raise_for_status()
    try:
        httpx.get(address, timeout=5, trust_env=False)
    except httpx.ConnectError:
        sys.exit(0)
    sys.exit("JupyterLab still answers after it was ended")
