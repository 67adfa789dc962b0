"""From upload to an answer on a real file, over HTTP, on a server started here.

    python evaluation/bench_upload.py FILE "question" "words of the cited passage" [--seconds 5]

Prints the seconds from sending the file to its being searchable, first with cold reading processes and a
cold model, then with warm ones, and the answer. Exits with 1 if the cold upload takes longer than
``--seconds`` or no citation's quote holds the words.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import httpx
from serving import serving


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("question")
    parser.add_argument("words")
    parser.add_argument("--seconds", type=float, default=5.0)
    arguments = parser.parse_args()
    with serving() as (url, _):
        return measure(url, arguments)


def measure(url: str, arguments: argparse.Namespace) -> int:
    with httpx.Client(base_url=url, timeout=600) as client:
        seconds = []
        for state in ("cold", "warm"):
            begun = time.perf_counter()
            reply = client.post(
                "/api/documents", files={"file": (arguments.file.name, arguments.file.read_bytes())}
            )
            reply.raise_for_status()
            seconds.append(time.perf_counter() - begun)
            document = reply.json()["document"]
            print(
                f"{state}: {document['page_count']} pages, {document['chunk_count']} passages searchable after {seconds[-1]:.2f} s"
            )
            if state == "cold":
                client.delete("/api/documents")
        answer = client.post("/api/query", json={"question": arguments.question}).json()
    print(answer["answer"])
    hits = [c for c in answer["citations"] if arguments.words in c["quote"]]
    for citation in answer["citations"]:
        print(
            f"[{citation['id']}] page {citation['page']}, {citation['section']}: {citation['quote']}"
        )
    cited = f"cited on page {hits[0]['page']}" if hits else "NOT cited"
    print(f"{arguments.words!r}: {cited}; {answer['timings_ms']['total']} ms")
    return int(not hits or seconds[0] > arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
