"""Measures the processor time of a process and of all its descendants."""

import os
import resource
import threading
from pathlib import Path
from typing import Final, NamedTuple

_SAMPLE_SECONDS: Final = 1.0


class _Process(NamedTuple):
    """One line of the process table; times in clock ticks."""

    parent: int
    start: str
    user: int
    system: int


class ProcessorTime(threading.Thread):
    """Samples the user and system time of this process and of all its descendants, servers included.

    Samples miss what ends between two of them. The operating system's own sum misses processes that no parent waits
    for. Both are lower bounds, so the greater one counts. Without ``/proc`` there are no samples.
    """

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._is_over = threading.Event()
        self._ticks: dict[tuple[int, str], tuple[int, int]] = {}
        self._sampling = threading.Lock()

    def run(self) -> None:
        """Sample until ``stop`` is called."""
        while not self._is_over.wait(_SAMPLE_SECONDS):
            self._sample()

    def stop(self) -> tuple[float, float]:
        """Stop sampling and return the user and the system time in seconds."""
        self._is_over.set()
        self.join()
        return self.so_far()

    def so_far(self) -> tuple[float, float]:
        """Return the user and the system time in seconds until now."""
        self._sample()
        per_second = os.sysconf("SC_CLK_TCK")
        with self._sampling:
            sampled = [sum(ticks) / per_second for ticks in zip(*self._ticks.values(), strict=True)]
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        waited_for = [sum(usage.ru_utime for usage in usages), sum(usage.ru_stime for usage in usages)]
        user, system = max(sampled, waited_for, key=sum)
        return user, system

    def _sample(self) -> None:
        with self._sampling:
            self._add(_process_table())

    def _add(self, table: dict[int, _Process]) -> None:
        ours = {pid for pid, start in self._ticks if pid in table and table[pid].start == start} | {
            os.getpid()
        }
        for pid, process in table.items():
            if _descends(pid, ours, table):
                self._ticks[pid, process.start] = (process.user, process.system)


def _process_table() -> dict[int, _Process]:
    table = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # proc_pid_stat(5): the name, which may contain blanks, ends at the last bracket; then the third field
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # ended since the folder was listed
            continue
        table[int(folder.name)] = _Process(int(fields[1]), fields[19], int(fields[11]), int(fields[12]))
    return table


def _descends(pid: int, ancestors: set[int], table: dict[int, _Process]) -> bool:
    while pid not in ancestors:
        if pid not in table:
            return False
        pid = table[pid].parent
    return True
