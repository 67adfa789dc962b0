"""What a question costs beside the models' own time, in a library of ten thousand real passages.

    python evaluation/bench_overhead.py --data DIR [--passages 10000] [--questions 150]

The library is made of files, as a person's is. A chat model that replies at once, with a sentence
of the first passage, stands in for a real one: all that is left is the program's own work. Times
are of one question after the other; wall times need an idle machine. Exits with 1 over the target.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from scale_data import rows

from local_rag.composition import open_services
from local_rag.model.chat import ChatInfo, ChatReply, ChatState
from local_rag.settings import Settings
from local_rag.text.sentences import sentences
from local_rag.usecases.chat_choice import ChatChoice

TARGET_MS = 30.0
SETS = ("scifact", "cranfield", "xquad-en")
CHARS_A_FILE = 40_000


class PromptEcho:
    """Replies at once with the first sentence of the first passage that it is shown."""

    info = ChatInfo("bench", "echo", local=True)

    def complete(
        self, messages: Any, schema: Any, limits: Any, *, cancel: Any = None, on_text: Any = None
    ) -> ChatReply:
        passage = messages[-1].content.split("passage 1]\n", 1)[1].split("\n[", 1)[0]
        body = passage.rsplit("\n", 1)[-1]
        start, end = sentences(body, "en")[0]
        said = {"text": body[start:end], "citations": [1]}
        reply = json.dumps({"claims": [said], "style": "paragraphs", "unsupported": []})
        if on_text is not None:
            on_text(reply)
        return ChatReply(reply, "stop", None, None, 0.0)

    def state(self) -> ChatState:
        return ChatState("ready", "")

    def warm_up(self, cancel: Any = None) -> None:
        pass

    def close(self) -> None:
        pass


def files(data: Path, folder: Path) -> list[Path]:
    """Text files of the sets' documents."""
    texts = [
        f"{r.get('title', '')}\n\n{r['text']}"
        for s in SETS
        for r in rows(data / s / "corpus.jsonl")
    ]
    made: list[Path] = []
    held: list[str] = []
    for text in [*texts, ""]:
        held.append(text)
        if sum(map(len, held)) > CHARS_A_FILE or not text:
            made.append(folder / f"{len(made)}.txt")
            made[-1].write_text("\n\n\n".join(held), encoding="utf-8")
            held = []
    return made


def ask(desk: Any, questions: list[str], name: str) -> float:
    """Prints the times of the questions; returns the median of what is the program's own, in ms."""
    own, whole, cpu, steps = [], [], [], {}
    for question in questions:
        begun, begun_cpu = time.perf_counter(), time.process_time()
        answer = desk.answer(question)
        whole.append((time.perf_counter() - begun) * 1000)
        cpu.append((time.process_time() - begun_cpu) * 1000)
        own.append(whole[-1] - answer.timings_ms.get("embed", 0.0))
        for step, value in answer.timings_ms.items():
            steps.setdefault(step, []).append(value)
    p95 = statistics.quantiles(own, n=20)[-1]
    parts = ", ".join(f"{step} {statistics.median(v):.1f}" for step, v in steps.items())
    print(
        f"{name}: beside the embedding of the question p50 {statistics.median(own):.1f} ms, p95 "
        f"{p95:.1f} ms; in all p50 {statistics.median(whole):.1f} ms (CPU "
        f"{statistics.median(cpu):.1f} ms); medians of the steps: {parts}",
        flush=True,
    )
    return statistics.median(own)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    default = os.environ.get("LOCAL_RAG_BENCH_DATA")
    parser.add_argument("--data", type=Path, default=default, required=default is None)
    parser.add_argument("--passages", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=150)
    arguments = parser.parse_args()
    sets = arguments.data / "retrieval"
    asked = [row["text"] for name in SETS for row in rows(sets / name / "queries.jsonl")]
    asked = asked[:: max(1, len(asked) // arguments.questions)][: arguments.questions]
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            _env_file=None, chat_provider="extractive", data_dir=Path(folder) / "data"
        )
        with open_services(settings) as services:
            count = 0
            for file in files(sets, Path(folder)):
                count += services.library.add(file, file.name).document.chunk_count
                if count >= arguments.passages:
                    break
            print(f"{count:,} passages", flush=True)
            ask(services.desk, asked[:20], "warming up")
            chat = ChatChoice(PromptEcho(), optional=False)
            own = ask(dataclasses.replace(services.desk, chat=chat), asked, "with a chat model")
            ask(services.desk, asked, "extractive")
    if own > TARGET_MS:
        print(f"MISSED: at most {TARGET_MS:.0f} ms")
    return int(own > TARGET_MS)


if __name__ == "__main__":
    sys.exit(main())
