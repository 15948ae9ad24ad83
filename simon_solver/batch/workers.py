"""Worker processes on this machine, each with one piece at a time.

Processes and not threads: two threads decided deals at three quarters of the speed of two
processes, for what is not compiled holds the interpreter lock. Each worker has a pipe of its own
and no lock is shared, so one that is killed at any moment takes nobody along.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from simon_solver.batch.pieces import Piece, Row, run_piece
from simon_solver.game.codes import GameCode

Run = Callable[[Piece], list[Row]]

TICK = 0.25
"""Seconds after which the caller has control again when nothing is ready."""
MOST_DEATHS = 3
"""Workers that may die of one deal before it is given up."""
_PATIENCE = 5.0  # seconds for a worker to end
_EXIT_NO_MEMORY = 12


class WorkerLostError(Exception):
    """Worker processes have died again and again at the same deal; says which and how."""


class WorkerFailedError(Exception):
    """A worker met an error of the program; says where and which."""


@dataclass(frozen=True)
class _Failure:
    """What a worker sends in place of rows."""

    message: str
    trace: str


@dataclass
class _Worker:
    process: SpawnProcess
    connection: Connection
    piece: Piece | None = None


@dataclass
class LocalWorkers:
    """Up to `jobs` processes that call `run`; a context manager that leaves none of them behind.

    `run` is a function of a module, for it is pickled. Workers are started when there is work for
    them. They end when this process ends, however it does.
    """

    jobs: int
    run: Run = run_piece
    _workers: list[_Worker] = field(default_factory=list)
    _again: deque[Piece] = field(default_factory=deque)
    _deaths: Counter[Piece] = field(default_factory=Counter)

    def __enter__(self) -> LocalWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            _end(worker)
        self._workers.clear()

    def results(self, pieces: Iterator[Piece]) -> Iterator[list[Row]]:
        """The rows of each piece, in the order in which they are ready.

        Also an empty list every now and then, so that the caller is never away for long. The
        piece of a worker that dies is run again, deal by deal.

        Raises:
            WorkerLostError: a deal has cost `MOST_DEATHS` workers.
            WorkerFailedError: a worker met an error of the program.
        """
        self._hand_out(pieces)
        while any(worker.piece for worker in self._workers):
            ready = wait([worker.connection for worker in self._workers], TICK)
            arrived = [w for w in self._workers if w.connection in ready]
            rows = [row for worker in arrived for row in self._rows_of(worker)]
            # first of all, so that no worker waits for what the caller does with the rows
            self._hand_out(pieces)
            yield rows

    def _hand_out(self, pieces: Iterator[Piece]) -> None:
        """Give each idle worker a piece, and start workers as long as there are pieces."""
        for worker in list(self._workers):
            if worker.piece is None and (piece := self._next(pieces)) is not None:
                self._give(worker, piece)
        while len(self._workers) < self.jobs and (piece := self._next(pieces)) is not None:
            worker = _start(self.run)
            self._workers.append(worker)
            self._give(worker, piece)

    def _next(self, pieces: Iterator[Piece]) -> Piece | None:
        return self._again.popleft() if self._again else next(pieces, None)

    def _give(self, worker: _Worker, piece: Piece) -> None:
        worker.piece = piece
        try:
            worker.connection.send(piece)
        except OSError:
            self._bury(worker)

    def _rows_of(self, worker: _Worker) -> list[Row]:
        """What a worker has sent; none if it has died."""
        try:
            message = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker)
            return []
        if isinstance(message, _Failure):
            error = WorkerFailedError(message.message)
            error.add_note(message.trace)
            raise error
        worker.piece = None
        return list(map(Row._make, message))

    def _bury(self, worker: _Worker) -> None:
        """Note that a worker is dead, and have its piece run again."""
        self._workers.remove(worker)
        code = _end(worker)
        piece = worker.piece
        if piece is None:
            return
        if piece.span.deals > 1:
            self._again.extend(piece.single_deals())
            return
        self._deaths[piece] += 1
        if self._deaths[piece] >= MOST_DEATHS:
            deal = GameCode(piece.span.suits, piece.span.first)
            raise WorkerLostError(
                f"{MOST_DEATHS} worker processes died at {deal}, the last one {_manner(code)}; "
                "if the machine ran out of memory, use fewer --jobs or a lower --memory-limit"
            )
        self._again.append(piece)


def _manner(code: int | None) -> str:
    """How a process ended, from its exit code."""
    if code is None or code >= 0:
        return f"with exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:
        return f"killed by signal {-code}"


def _start(run: Run) -> _Worker:
    """A new worker; Ctrl-C never reaches it, for it is this process that ends the work."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, run), daemon=True)
    with theirs, _blocked_interrupts():
        process.start()
    return _Worker(process, ours)


def _end(worker: _Worker) -> int | None:
    """Wait for the end of a process that is about to end, or make it; returns its exit code."""
    worker.connection.close()
    worker.process.join(_PATIENCE)
    if worker.process.exitcode is None:
        worker.process.kill()
        worker.process.join()
    return worker.process.exitcode


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Start processes to which Ctrl-C means nothing; here it is only put off meanwhile."""
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker  # noqa: PLC0415 - not for Windows

    resource_tracker.ensure_running()  # it would lift the block if it had to start later
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, run: Run) -> None:
    """The life of a worker: pieces in, rows out, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # the main process has shown them
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    while True:
        try:
            piece = connection.recv()
        except (EOFError, OSError):
            return
        try:
            message: object = list(map(tuple, run(piece)))  # quicker to send than rows
        except MemoryError:
            os._exit(_EXIT_NO_MEMORY)  # what is left of this process is of no use
        except Exception as error:  # noqa: BLE001 - the main process tells the user
            told = f"{type(error).__name__}: {error} (in {piece.span})"
            message = _Failure(told, traceback.format_exc())
        try:
            connection.send(message)
        except OSError:
            return


def _leave_with_parent() -> None:
    """End this process when its parent has ended, in the middle of a search if need be."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
