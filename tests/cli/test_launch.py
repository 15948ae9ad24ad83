"""How the program starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.processes import ended, start

THREADS = (
    "import atexit, psutil\n"
    "atexit.register(lambda: print(psutil.Process().num_threads(), file=sys.stderr))"
)
CHECK = ("check", "SS1-S1-AAAAABD")


def test_numpy_starts_no_threads(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    process = start(*CHECK, before=THREADS, SIMON_SOLVER_CACHE=str(tmp_path))
    assert ended(process) == (0, "SS1-S1-AAAAABD  winnable\n", "1\n")


def test_who_sets_the_number_of_threads_has_them() -> None:
    told = "import atexit; atexit.register(lambda: print(os.environ['OPENBLAS_NUM_THREADS']))"
    output = ended(start(*CHECK, before=told, OPENBLAS_NUM_THREADS="2"))[1]
    assert output == "SS1-S1-AAAAABD  winnable\n2\n"
