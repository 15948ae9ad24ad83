"""The program in a process of its own: started, ended, waited for."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import psutil

START = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
def interrupt(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
"""


MAIN = """
from simon_solver.cli.launch import main
main()
"""


def start(*arguments: str, before: str = "", **environment: str) -> subprocess.Popen[str]:
    """The program, after some Python code that may meddle with it."""
    code = f"{START}sys.argv = {['simon-solver', *arguments]!r}\n{before}\n{MAIN}"
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **environment},
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit code, output and errors."""
    with process:
        output, errors = process.communicate(timeout=300)
    return process.returncode, output, errors


def wait_for_end(processes: list[psutil.Process], seconds: float = 60) -> list[psutil.Process]:
    """Those that still run after a while; what nobody has waited for counts as ended."""
    end = time.monotonic() + seconds
    while processes and time.monotonic() < end:
        processes = [p for p in processes if p.is_running() and p.status() != "zombie"]
        time.sleep(0.02)
    return processes
