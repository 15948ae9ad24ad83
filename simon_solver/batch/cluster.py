"""Workers on other machines: the same pieces, run by a Dask cluster.

Dask's scheduler gives pieces to its workers, has those of a lost worker run again, and sends the
rows back. Everything that talks to it is in one thread with an event loop of its own, `_Link`;
the caller's thread only reads a queue, so that nothing keeps it from looking for Ctrl-C.

A worker is a process with one thread, for a memory limit holds for a process, and it has the
version of this program, for rows say which one they are of. Any other ends the work.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import re
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pkgutil import resolve_name
from queue import Empty, SimpleQueue
from typing import Any

from simon_solver import __version__
from simon_solver.batch.pieces import Piece, Row, run_piece
from simon_solver.batch.workers import TICK, Run, WorkerFailedError, WorkerLostError
from simon_solver.errors import InputError
from simon_solver.game.codes import GameCode

IN_FLIGHT = 3
"""Pieces for each worker: one that runs, and others so that it need not wait for the next."""
_CONNECT = 10.0  # seconds for the scheduler to answer at first
_SILENCE = 60.0  # seconds after which one that does not answer counts as gone
_PATIENCE = 5.0  # seconds to take leave
_LONELY = 10.0  # seconds without workers that are worth a word
_LOOK = 0.5  # seconds between two looks at who is there
_ADDRESS = re.compile(r"tcp://(\[[0-9a-f:.]+\]|[\w.-]+):([0-9]{1,5})", re.ASCII | re.IGNORECASE)
_VERSION = "simon_solver:__version__"


class ClusterError(Exception):
    """The cluster has gone, or has members that cannot be used; says which."""


class NoClusterError(ClusterError, InputError):
    """There is no cluster at the address."""


@dataclass(frozen=True)
class _Killed:
    """What a piece has in place of rows when it has cost workers; says how many and the last."""

    manner: str


@dataclass(frozen=True)
class _Call:
    """A call whose pickle, when it is read, turns into what the function returns.

    So a piece is `pickle.loads` of some bytes, which also those can take that have no or another
    simon_solver: a scheduler needs none, and a worker has an error to tell of, and does not die.
    """

    run: Run
    piece: Piece

    def __reduce__(self) -> tuple[Run, tuple[Piece]]:
        return self.run, (self.piece,)


Answer = tuple[Piece, list[Row] | _Killed]


def check_cluster(address: str) -> None:
    """Find out before any work whether this can be the address of a cluster.

    Raises:
        InputError: it is malformed, or Dask is missing.
    """
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[2]) < 1 << 16:
        raise InputError(f"--cluster: expected an address such as tcp://host:8786, got {address!r}")
    if "distributed" not in sys.modules and find_spec("distributed") is None:
        raise InputError("--cluster needs Dask: pip install 'simon-solver[cluster]'")


@dataclass
class ClusterWorkers:
    """The workers of a Dask cluster, which call `run`; the counterpart of `LocalWorkers`.

    `run` is a function of a module that the workers have as well. `note` is told what the user
    should know while nothing is wrong. When the context ends, the cluster forgets what it was
    asked for; a worker first comes to the end of the piece that it is at.
    """

    address: str
    run: Run = run_piece
    note: Callable[[str], None] = lambda _text: None
    _in_flight: int = 0
    _suspects: deque[Piece] = field(default_factory=deque)
    _trial: Piece | None = None
    _seen_workers: float = 0.0
    _context: ExitStack = field(default_factory=ExitStack)

    def __enter__(self) -> ClusterWorkers:
        with ExitStack() as stack:
            # Dask tells of every lost connection, with a traceback; what matters is raised here.
            stack.callback(logging.disable, logging.root.manager.disable)
            logging.disable(logging.CRITICAL)
            stack.enter_context(warnings.catch_warnings())
            warnings.filterwarnings("ignore", module=r"dask|distributed|tornado")
            self._context = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._context.close()

    def results(self, pieces: Iterator[Piece]) -> Iterator[list[Row]]:
        """The rows of each piece, in the order in which they are ready.

        Also an empty list every now and then, so that the caller is never away for long. A piece
        that has cost as many workers as Dask allows is run again, deal by deal.

        Raises:
            ClusterError: there is no such cluster, it has gone, or a worker cannot be used.
            WorkerLostError: a deal has cost too many workers.
            WorkerFailedError: a worker met an error of the program.
        """
        ahead = next(pieces, None)
        if ahead is None:
            return
        link = _Link(self.address, self.run)
        self._context.callback(link.end)
        self._seen_workers = time.monotonic()
        while ahead is not None or self._in_flight or self._suspects:
            answers = link.answers(TICK)
            rows = [row for answer in answers for row in self._rows_of(answer)]
            # first of all, so that no worker waits for what the caller does with the rows
            ahead = self._hand_out(link, ahead, pieces)
            yield rows
            self._tell_of_lack(link)

    def _hand_out(self, link: _Link, ahead: Piece | None, pieces: Iterator[Piece]) -> Piece | None:
        """Give the cluster what its workers can take; returns the first piece that has to wait."""
        batch: list[Piece] = []
        if self._trial or self._suspects:
            # One deal at a time: Dask blames a death on all that the worker had been given.
            if not self._in_flight:
                self._trial = self._suspects.popleft()
                batch.append(self._trial)
        else:
            room = IN_FLIGHT * link.workers - self._in_flight
            while ahead is not None and len(batch) < room:
                batch.append(ahead)
                ahead = next(pieces, None)
        if batch:
            self._in_flight += len(batch)
            link.submit(batch)
        return ahead

    def _rows_of(self, answer: Answer) -> list[Row]:
        """What a piece has come to; no rows if it has cost workers."""
        self._in_flight -= 1
        piece, outcome = answer
        on_trial, self._trial = piece is self._trial, None
        if not isinstance(outcome, _Killed):
            return outcome
        if on_trial:
            deal = GameCode(piece.span.suits, piece.span.first)
            raise WorkerLostError(
                f"{outcome.manner} at {deal}; if its machine ran out of memory, start fewer "
                "workers there or use a lower --memory-limit"
            )
        self._suspects.extend(piece.single_deals())
        return []

    def _tell_of_lack(self, link: _Link) -> None:
        """Tell the user when there has been no worker for a while, once each time."""
        now = time.monotonic()
        if link.workers or not link.is_connected:
            self._seen_workers = now
        elif now - self._seen_workers > _LONELY:
            self.note(f"the cluster at {self.address} has no workers; waiting for some to join")
            self._seen_workers = float("inf")


class _Link:
    """The thread that talks to a scheduler, from the start until `end`.

    `workers` is the number of those that can be used. All but `submit`, `answers` and `end` runs in
    the thread's event loop.
    """

    def __init__(self, address: str, run: Run) -> None:
        self.workers = 0
        self.is_connected = False
        self._address, self._run = address, run
        self._queue: SimpleQueue[Answer | Exception] = SimpleQueue()
        self._error: Exception | None = None
        self._client: Any = None
        self._admitted: set[str] = set()
        self._asked: dict[str, asyncio.Task[None]] = {}
        self._fetching: set[asyncio.Task[None]] = set()
        self._stop = asyncio.Event()
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._live(ready)), name="cluster", daemon=True
        )
        self._thread.start()
        ready.wait()

    def submit(self, batch: list[Piece]) -> None:
        """Have pieces run; each will have an answer."""
        self._loop.call_soon_threadsafe(self._submit, batch)

    def answers(self, seconds: float) -> list[Answer]:
        """What has come back, or comes within some seconds.

        Raises:
            ClusterError, WorkerFailedError: as `ClusterWorkers.results`.
        """
        found: list[Answer] = []
        with suppress(Empty):
            while self._error is None:
                item = self._queue.get(timeout=0 if found else seconds)
                if isinstance(item, Exception):
                    self._error = item
                else:
                    found.append(item)
        if self._error is not None and not found:
            raise self._error
        return found

    def end(self) -> None:
        """Take leave of the cluster, which so forgets what it was asked for."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(2 * _PATIENCE)

    async def _live(self, ready: threading.Event) -> None:
        """Serve until told to stop, and only then leave, for that cancels what is under way."""
        self._loop = asyncio.get_running_loop()
        ready.set()
        service = asyncio.create_task(self._serve())
        await self._stop.wait()
        service.cancel()
        if self._client is not None:
            with suppress(Exception):
                await asyncio.wait_for(self._client.close(), _PATIENCE)

    async def _serve(self) -> None:
        """Connect, and look again and again who is there; an error is put into the queue."""
        try:
            await self._connect()
            while True:
                await self._look()
                await asyncio.sleep(_LOOK)
        except Exception as error:  # noqa: BLE001 - it is raised by `answers`
            self._queue.put(error)

    async def _connect(self) -> None:
        from distributed import Client  # noqa: PLC0415 - an extra, and slow to load

        self._client = Client(
            self._address, asynchronous=True, set_as_default=False, timeout=_CONNECT
        )
        try:
            await self._client
        except OSError as error:
            raise NoClusterError(f"no Dask scheduler answers at {self._address}") from error
        self.is_connected = True

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"lost the scheduler at {self._address}; with --store, the same command resumes where "
            "it stopped"
        )

    async def _look(self) -> None:
        """See which workers are there, and have new ones asked for their version."""
        try:
            if self._client.status != "running":
                raise self._gone()
            present = await asyncio.wait_for(self._client.nthreads(), _SILENCE)
        except OSError:
            raise self._gone() from None
        for address, threads in present.items():
            if threads != 1:
                raise ClusterError(
                    f"the worker at {address} has {threads} threads, expected 1, because a memory "
                    "limit covers a whole process; start workers with --nthreads 1"
                )
        self._admitted &= present.keys()
        self.workers = len(self._admitted)
        for address in present.keys() - self._admitted - self._asked.keys():
            self._asked[address] = asyncio.create_task(self._admit(address))

    async def _admit(self, address: str) -> None:
        """Count a worker in if it has this version; one that has left is no matter."""
        try:
            answers = await self._client.run(
                resolve_name, _VERSION, workers=[address], on_error="return"
            )
            version = answers.get(address)
            if isinstance(version, OSError):
                return
            _check_version(f"the worker at {address}", version)
            self._admitted.add(address)
            self.workers = len(self._admitted)
        except OSError:
            pass  # the next look tells
        except Exception as error:  # noqa: BLE001 - it is raised by `answers`
            self._queue.put(error)
        finally:
            del self._asked[address]

    def _submit(self, batch: list[Piece]) -> None:
        calls = [pickle.dumps(_Call(self._run, piece)) for piece in batch]
        futures = self._client.map(pickle.loads, calls, pure=False, key="simon-solver")
        for piece, future in zip(batch, futures, strict=True):
            task = asyncio.create_task(self._fetch(piece, future))
            self._fetching.add(task)
            task.add_done_callback(self._fetching.discard)

    async def _fetch(self, piece: Piece, future: Any) -> None:
        """Wait for an answer, and put it into the queue."""
        from distributed import CancelledError, KilledWorker  # noqa: PLC0415

        try:
            rows = await future
            for row in rows:
                _check_version("a worker", row.solver_version)
        except KilledWorker as error:
            deaths, last = error.allowed_failures + 1, error.last_worker.address
            outcome = _Killed(f"{deaths} workers died, the last one {last},")
            self._queue.put((piece, outcome))
        except MemoryError:
            self._queue.put((piece, _Killed("a worker ran out of memory")))
        except CancelledError:
            self._queue.put(self._gone())
        except Exception as error:  # noqa: BLE001 - it is raised by `answers`
            await self._report(piece, error)
        else:
            self._queue.put((piece, rows))

    async def _report(self, piece: Piece, error: Exception) -> None:
        """Put an error into the queue, after that of a worker that should not be there, if any."""
        try:
            await self._look()
            if self._asked:
                await asyncio.wait(self._asked.values(), timeout=_CONNECT)
        except ClusterError as cause:
            error = cause
        if not isinstance(error, ClusterError):
            failed = WorkerFailedError(f"{type(error).__name__}: {error} (in {piece.span})")
            failed.add_note("".join(traceback.format_exception(error)))
            error = failed
        self._queue.put(error)


def _check_version(who: str, found: object) -> None:
    """Complain of a version of the package other than ours, or of the error that loading it made.

    Raises:
        ClusterError: it is such a one.
    """
    if found == __version__:
        return
    if isinstance(found, ModuleNotFoundError) and found.name in ("simon_solver", None):
        told = "has no simon_solver"
    elif isinstance(found, Exception):
        told = f"cannot load simon_solver ({found})"
    else:
        told = f"has simon_solver {found}"
    raise ClusterError(f"{who} {told}, expected version {__version__}, as here")
