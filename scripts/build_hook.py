"""Translates the kernels when the package is built, for a wheel or an editable install.

A package without translations works as well: then numba translates the kernels on each machine when
they are first needed.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TranslateKernels(BuildHookInterface[Any]):  # type: ignore[misc]
    """Puts `simon_solver/kernels/native/bitcode/` into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Translate in a process of its own, which imports the package from its sources."""
        del version
        command = [sys.executable, "-m", "scripts.translate_kernels"]
        if subprocess.run(command, cwd=self.root, check=False).returncode != 0:
            self.app.display_warning("kernels are not translated: the first search takes longer")
        build_data["artifacts"].append("/simon_solver/kernels/native/bitcode/*.bc")
