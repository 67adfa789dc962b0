"""Long documents over HTTP: time to searchable, memory of all processes, progress and cancelling.

    python evaluation/bench_ingest.py [--file FILE] [--pages 4000] [--seconds 90] [--megabytes 1500]

``--file`` is uploaded first: seconds to searchable, the highest resident memory of the whole process
tree meanwhile, and what is left ten seconds after. Then a PDF of ``--pages`` pages of one line is made:
pages/s in its first and second half, the longest wait between two events, and the seconds from
cancelling such an upload to its end. Exits with 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path

import httpx
import psutil
import pymupdf
from serving import serving

_REST_S = 10
_LONGEST_GAP_S = 1.5
_LONGEST_CANCEL_S = 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--file", type=Path)
    parser.add_argument("--pages", type=int, default=4000)
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--megabytes", type=float, default=1500.0)
    arguments = parser.parse_args()
    with serving() as (url, pid), httpx.Client(base_url=url, timeout=900) as client:
        missed = []
        if arguments.file:
            missed += upload_of(client, pid, arguments)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lines.pdf"
            _make(path, arguments.pages)
            missed += steady(client, path)
            missed += cancelled(client, path)
    for line in missed:
        print(f"MISSED  {line}")
    return 1 if missed else 0


def upload_of(client: httpx.Client, pid: int, arguments: argparse.Namespace) -> list[str]:
    peak = Peak(pid)
    begun = time.perf_counter()
    job = _ended(client, _send(client, arguments.file))
    seconds = time.perf_counter() - begun
    highest = peak.stop()
    time.sleep(_REST_S)
    rest = _resident_mb(pid)
    print(
        f"{arguments.file.name}: {job['state']} after {seconds:.1f} s; resident at most "
        f"{highest:,.0f} MB, {rest:,.0f} MB {_REST_S} s after"
    )
    missed = []
    if job["state"] != "searchable" or seconds > arguments.seconds:
        missed.append(f"{seconds:.1f} s against {arguments.seconds:g}")
    if highest > arguments.megabytes:
        missed.append(f"{highest:,.0f} MB against {arguments.megabytes:,.0f}")
    return missed


def steady(client: httpx.Client, path: Path) -> list[str]:
    times: list[tuple[float, dict]] = []
    job_id = None
    with client.stream("GET", "/api/jobs/events") as stream:
        for line in stream.iter_lines():
            if job_id is None:
                job_id = _send(client, path)["job_id"]
            if not line.startswith("data: "):
                continue
            job = json.loads(line.removeprefix("data: "))
            if job["job_id"] != job_id:
                continue
            times.append((time.perf_counter(), job))
            if job["state"] in ("searchable", "failed"):
                break
    gap = max(b - a for (a, _), (b, _) in pairwise(times))
    reading = [(at, job["done"], job["total"]) for at, job in times if job["state"] == "extracting"]
    reading = [row for row in reading if row[2]]
    half = reading[-1][2] / 2
    first = [row for row in reading if row[1] <= half]
    second = [row for row in reading if row[1] >= half]
    rates = [
        (part[-1][1] - part[0][1]) / max(part[-1][0] - part[0][0], 1e-9) if len(part) > 1 else 0.0
        for part in (first, second)
    ]
    seconds = times[-1][0] - times[0][0]
    print(
        f"{reading[-1][2]:,} one-line pages: {times[-1][1]['state']} after {seconds:.1f} s; "
        f"{rates[0]:,.0f} and {rates[1]:,.0f} pages/s; longest wait for an event {gap:.2f} s"
    )
    return [f"{gap:.2f} s without an event"] if gap > _LONGEST_GAP_S else []


def cancelled(client: httpx.Client, path: Path) -> list[str]:
    waits = []
    for state in ("extracting", "embedding"):
        client.delete("/api/documents")
        job = _send(client, path)
        while job["state"] not in (state, "searchable"):
            job = client.get(f"/api/jobs/{job['job_id']}").json()
            time.sleep(0.01)
        begun = time.perf_counter()
        client.delete(f"/api/jobs/{job['job_id']}")
        ended = _ended(client, job)
        waits.append(time.perf_counter() - begun)
        print(f"cancelled while {state}: {ended['state']} after {waits[-1]:.2f} s")
    return [f"cancelling took {max(waits):.2f} s"] if max(waits) > _LONGEST_CANCEL_S else []


class Peak:
    """The highest resident memory of a process and all below it, looked at ten times a second."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._highest = 0.0
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.1):
            self._highest = max(self._highest, _resident_mb(self._pid))

    def stop(self) -> float:
        self._done.set()
        self._thread.join()
        return self._highest


def _resident_mb(pid: int) -> float:
    total = 0
    processes = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
    for process in processes:
        try:
            total += process.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return total / 1e6


def _send(client: httpx.Client, path: Path) -> dict:
    reply = client.post(
        "/api/documents",
        files={"file": (path.name, path.read_bytes())},
        headers={"Prefer": "respond-async"},
    )
    reply.raise_for_status()
    return reply.json()["job"]


def _ended(client: httpx.Client, job: dict) -> dict:
    while job["state"] not in ("searchable", "failed", "cancelled"):
        time.sleep(0.02)
        job = client.get(f"/api/jobs/{job['job_id']}").json()
    return job


def _make(path: Path, pages: int) -> None:
    document = pymupdf.open()
    for number in range(pages):
        document.new_page().insert_text((72, 72), f"The line of page {number} stands alone here.")
    document.save(path)
    document.close()


if __name__ == "__main__":
    sys.exit(main())
