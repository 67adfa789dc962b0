"""The compose file and the image: pinned, closed to other machines, and settings that are known."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from local_rag.settings import Settings
from local_rag.stores import is_shared

ROOT = Path(__file__).parents[1]
SECRETS = {"POSTGRES_PASSWORD": "postgres-secret", "QDRANT_API_KEY": "qdrant-secret"}
_VARIABLE = re.compile(r"\$\{(\w+):\?[^}]*\}")


@pytest.fixture
def compose():
    text = (ROOT / "compose.yaml").read_text()
    return yaml.safe_load(_VARIABLE.sub(lambda match: SECRETS[match[1]], text))


def test_secrets_have_to_be_given_and_are_nowhere_written():
    text = (ROOT / "compose.yaml").read_text()
    for line in text.splitlines():
        if re.search(r"(PASSWORD|KEY): ", line):
            assert _VARIABLE.search(line), line
    assert "@postgres" in text
    assert not re.search(r"://\w+:[^/@]+@", text)


def test_only_the_app_is_published_and_on_loopback_only(compose):
    published = {name: service.get("ports", []) for name, service in compose["services"].items()}
    assert {name for name, ports in published.items() if ports} == {"app"}
    (port,) = published["app"]
    address, host, container = port.split(":")
    first, last = host.split("-")
    assert (address, container) == ("127.0.0.1", "8000")
    assert int(last) - int(first) + 1 == compose["services"]["app"]["deploy"]["replicas"]
    stores = {n: s["networks"] for n, s in compose["services"].items() if n != "app"}
    assert set(map(tuple, stores.values())) == {("stores",)}
    assert compose["networks"]["stores"]["internal"] is True


def test_images_are_pinned_to_a_version(compose):
    images = [s["image"] for s in compose["services"].values() if "image" in s]
    images += re.findall(r"^FROM (\S+)", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert len(images) == 4
    for image in images:
        assert re.search(r":v?\d+\.\d+(\.\d+)?(-\w+)*$", image), image


def test_the_apps_settings_are_known_and_share_everything(compose):
    given = compose["services"]["app"]["environment"]
    image = dict(re.findall(r"(RAG_\w+)=(\S+)", (ROOT / "Dockerfile").read_text()))
    settings = {
        name.removeprefix("RAG_").lower(): value
        for name, value in (image | given).items()
        if name.startswith("RAG_")
    }
    assert set(settings) <= set(Settings.model_fields)
    read = Settings(_env_file=None, **settings)
    assert is_shared(read)
    assert str(read.data_dir) in compose["services"]["app"]["volumes"]  # of each replica alone
    assert read.sources_url.get_secret_value() == "file:///share"
    assert "share:/share" in compose["services"]["app"]["volumes"]


def test_what_is_named_is_declared(compose):
    for service in compose["services"].values():
        assert set(service["networks"]) <= set(compose["networks"])
        assert set(service.get("depends_on", {})) <= set(compose["services"])
        named = {v.split(":")[0] for v in service["volumes"] if not v.startswith("/")}
        assert named <= set(compose["volumes"])
    waits = compose["services"]["app"]["depends_on"]["postgres"]["condition"]
    assert waits == "service_healthy"
    assert "healthcheck" in compose["services"]["postgres"]


def test_the_image_runs_as_an_ordinary_user_and_checks_its_health():
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    last_stage = lines[[n for n, line in enumerate(lines) if line.startswith("FROM")][-1] :]
    assert "USER app" in last_stage
    assert last_stage.index("USER app") < last_stage.index('CMD ["local-rag"]')
    text = "\n".join(last_stage)
    assert "HEALTHCHECK" in text
    assert "/health" in text
    for source in re.findall(r"^COPY (?!--from)(.+) \S+$", "\n".join(lines), re.MULTILINE):
        for name in source.split():
            assert (ROOT / name).exists(), name
            assert f"!{name}" in (ROOT / ".dockerignore").read_text().splitlines()


def test_compose_itself_accepts_the_file(tmp_path):
    docker = shutil.which("docker")
    run = [docker or "docker", "compose"]
    if not docker or subprocess.run([*run, "version"], capture_output=True).returncode:
        pytest.skip("docker compose is not installed")
    done = subprocess.run(
        [*run, "-f", str(ROOT / "compose.yaml"), "config", "-q"],
        env={"PATH": str(Path(docker).parent), "HOME": str(tmp_path)} | SECRETS,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
