"""Libraries that report to their makers unless they are told not to."""

from __future__ import annotations

import os

_SILENCE = {
    "ORT_DISABLE_TELEMETRY": "1",  # onnxruntime since 1.29; counts only before its first import
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "ANONYMIZED_TELEMETRY": "false",
}


def silence_vendors() -> None:
    """Forbids usage statistics and tracing in this process and those that it starts."""
    os.environ.update(_SILENCE)
