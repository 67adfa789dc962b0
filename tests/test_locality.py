from __future__ import annotations

import pytest

from local_rag.adapters.servers.locality import is_local


@pytest.mark.parametrize(
    ("base_url", "model", "local"),
    [
        ("http://localhost:11434", "llama3.2:3b", True),
        ("http://LOCALHOST:1234/v1", "qwen3-8b", True),
        ("http://127.0.0.1:1234/v1", "any", True),
        ("http://127.8.0.1/v1", "any", True),
        ("http://[::1]:11434", "llama3.2", True),
        ("http://localhost:11434", "gpt-oss:120b-cloud", False),
        ("http://localhost:11434", "glm-4.6:cloud", False),
        ("http://localhost:11434", "Kimi-K2:1T-Cloud", False),
        ("http://localhost:11434", "soundcloud", True),
        ("http://192.168.1.5:11434", "llama3.2:3b", False),
        ("http://0.0.0.0:11434", "llama3.2:3b", False),
        ("https://api.openai.com/v1", "gpt", False),
        ("http://localhost.example.com", "any", False),
        ("http://127.0.0.1.example.com", "any", False),
        ("http://localhost@example.com", "any", False),
        ("http://[::1", "any", False),
        ("", "any", False),
    ],
)
def test_only_loopback_and_models_that_run_there_are_local(base_url, model, local):
    assert is_local(base_url, model) is local
