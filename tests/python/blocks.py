"""Runs the blocks of Python in a page of the book, one after the other, in a copy of the fixtures: blocks.py PAGE PROJECT."""

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

page, project = Path(sys.argv[1]), Path(sys.argv[2])
blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
if not blocks:
    sys.exit(f"{page}: there are no blocks")
with tempfile.TemporaryDirectory() as folder:
    shutil.copytree(project / "fixtures", Path(folder) / "fixtures")
    os.chdir(folder)
    names = {"__name__": "guide"}
    for number, block in enumerate(blocks, 1):
        # The block's own name and lines appear in a traceback.
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, f"{page.name}, block {number}", "exec"), names)
print(f"{page.name}: {len(blocks)} blocks ran")
