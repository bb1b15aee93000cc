"""The files of deploy/ are valid for the programs that read them, and agree with each other and with this program."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml  # type: ignore[import-untyped]

from riverstones.cli.app import app
from riverstones.server.metrics import Metrics
from riverstones.server.settings import DEFAULT_PORT

from .programs import program
from .server.running import API

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
MONITORING = DEPLOY / "monitoring"
UNITS = sorted((DEPLOY / "systemd").iterdir())
INSTALLED = "/opt/riverstones/bin/riverstones"
CLIENT_OF_BASE = {"bookworm": 15, "trixie": 17}
"""The version of PostgreSQL's client in each release of Debian."""


def read(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


COMPOSE: dict[str, Any] = yaml.safe_load(read("compose.yaml"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
WEB = [name for name in SERVICES if name.startswith("web")]
WORKERS = [name for name in SERVICES if name.startswith("worker")]


def check_command(arguments: list[str]) -> None:
    """Parse the arguments of `riverstones` as the command line does, without running anything."""
    command: Any = typer.main.get_command(app)
    path = "riverstones"
    while hasattr(command, "commands"):
        name, *arguments = arguments
        assert name in command.commands, f"{path} {name}"
        command, path = command.commands[name], f"{path} {name}"
    command.make_context(path, arguments)


def commands_of_docs() -> list[str]:
    """Every call of `riverstones` in hosting.md that has no placeholder."""
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"```sh\n(.*?)```", page, re.DOTALL))
    found = re.findall(r"^riverstones (.*?)(?:  +#.*)?$", blocks, re.MULTILINE)
    return [*found, *re.findall(r"`riverstones ((?:serve|worker|admin)[^`]*)`", page)]


@pytest.mark.parametrize("name", [*WEB, *WORKERS])
def test_the_containers_run_commands_that_exist(name: str) -> None:
    check_command(list(SERVICES[name]["command"]))


def test_the_image_runs_a_command_that_exists() -> None:
    containerfile = read("Containerfile")
    (entry,) = re.findall(r"^ENTRYPOINT (.*)$", containerfile, re.MULTILINE)
    (command,) = re.findall(r"^CMD (.*)$", containerfile, re.MULTILINE)
    assert json.loads(entry) == ["riverstones"]
    check_command(json.loads(command))


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.suffix == ".service"], ids=lambda unit: str(unit.name))
def test_the_units_run_commands_that_exist(unit: Path) -> None:
    calls = re.findall(rf"{INSTALLED} ([^\n']*)", unit.read_text(encoding="utf-8"))
    assert len(calls) == 1
    (call,) = calls
    check_command([word for word in shlex.split(call) if word != "$RIVERSTONES_OPTIONS"])


@pytest.mark.parametrize("call", commands_of_docs())
def test_the_docs_name_commands_that_exist(call: str) -> None:
    arguments = shlex.split(call)
    complete = [word for word in arguments if word not in ("...", "list")] != ["admin"]
    check_command(arguments if complete else ["admin", "check"])


def test_two_servers_and_two_workers_share_one_database_and_one_redis() -> None:
    assert (len(WEB), len(WORKERS)) == (2, 2)
    database = SERVICES["database"]["environment"]
    url = f"postgresql://{database['POSTGRES_USER']}@database/{database['POSTGRES_DB']}"
    for name in (*WEB, *WORKERS):
        command = SERVICES[name]["command"]
        assert f"--database={url}" in command
        assert "--redis=redis://redis:6379/0" in command
        assert SERVICES[name]["hostname"] == name
    assert SERVICES["admin"]["environment"]["RIVERSTONES_DATABASE"] == url
    assert {"database", "redis", "caddy"} <= SERVICES.keys()


def test_only_the_proxy_can_be_reached_from_outside() -> None:
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["caddy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}
    assert {name for name, service in SERVICES.items() if "outside" in service["networks"]} == {"caddy"}


def test_no_password_is_on_a_command_line_and_every_variable_is_explained() -> None:
    for service in SERVICES.values():
        assert "PASSWORD" not in json.dumps([service.get("command"), service.get("entrypoint")])
    used = set(re.findall(r"\$\{(\w+)", read("compose.yaml")))
    assert used == set(re.findall(r"^(\w+)=", read("example.env"), re.MULTILINE))
    assert re.search(r"^DATABASE_PASSWORD=$", read("example.env"), re.MULTILINE)


def test_images_are_pinned_to_a_major_version_that_the_client_can_dump() -> None:
    images = {name: service["image"] for name, service in SERVICES.items() if "build" not in service}
    assert all(re.search(r":\d+$", image) for image in images.values()), images
    (base,) = re.findall(r"^ARG BASE=.*-(\w+)$", read("Containerfile"), re.MULTILINE)
    assert int(images["database"].rpartition(":")[2]) == CLIENT_OF_BASE[base]


def test_ports_and_names_agree() -> None:
    upstreams = [f"{name}:{DEFAULT_PORT}" for name in WEB]
    assert f"reverse_proxy {' '.join(upstreams)} {{" in read("Caddyfile")
    assert f"reverse_proxy 127.0.0.1:{DEFAULT_PORT}\n" in read("Caddyfile.small")
    assert f"EXPOSE {DEFAULT_PORT}\n" in read("Containerfile")
    for name in WEB:
        assert f"--port={DEFAULT_PORT}" in SERVICES[name]["command"]
        assert f"http://localhost:{DEFAULT_PORT}{API}/ready" in SERVICES[name]["healthcheck"]["test"][-1]
    (scraped,) = yaml.safe_load(read("monitoring/prometheus.yml"))["scrape_configs"]
    assert scraped["static_configs"] == [{"targets": upstreams}]
    assert scraped["metrics_path"] == f"{API}/metrics"


def test_the_paths_of_health_checks_and_metrics_exist() -> None:
    paths = json.loads((ROOT / "docs" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    named = re.findall(rf"{API}/\w+", read("Caddyfile") + read("Caddyfile.small") + read("compose.yaml"))
    assert named
    assert {path for path in named if path not in paths} == set()


def test_the_image_has_the_packages_of_workers() -> None:
    (pinned,) = re.findall(r"--require-hashes --requirement (\S+)", read("Containerfile"))
    assert re.search(r"^saq==", (ROOT / pinned).read_text(encoding="utf-8"), re.MULTILINE)


def test_folders_of_volumes_belong_to_the_user_of_the_image() -> None:
    made = re.search(r"install -d -o riverstones .*?((?:/var/\S+\s*)+)", read("Containerfile"), re.DOTALL)
    assert made is not None
    own = [service for service in SERVICES.values() if "build" in service]
    mounted = {volume.split(":")[1] for service in own for volume in service["volumes"]}
    assert mounted <= set(made[1].split())


@pytest.mark.parametrize("name", ["Caddyfile", "Caddyfile.small"])
def test_caddy_accepts_its_configuration(name: str, tmp_path: Path) -> None:
    caddy = program("caddy")
    command = [caddy, "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / name)]
    env = {**os.environ, "SITE": "play.example.org", "XDG_DATA_HOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    formatted = subprocess.run([caddy, "fmt", str(DEPLOY / name)], capture_output=True, text=True, check=False)
    assert formatted.stdout == read(name)


@pytest.mark.skipif(sys.platform != "linux", reason="systemd is Linux's")
def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    command = tmp_path / "riverstones"
    command.write_text("#!/bin/sh\n", encoding="utf-8")
    command.chmod(0o755)
    for unit in UNITS:
        (tmp_path / unit.name).write_text(
            unit.read_text(encoding="utf-8").replace(INSTALLED, str(command)), encoding="utf-8"
        )
    names = [str(tmp_path / unit.name) for unit in UNITS]
    done = subprocess.run([analyze, "verify", *names], capture_output=True, text=True, check=False, timeout=120)
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_units_keep_everything_private() -> None:
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8")
        if unit.suffix == ".service":
            assert {"UMask=0077", "NoNewPrivileges=yes", "User=riverstones"} <= set(text.splitlines())
            assert "MemoryDenyWriteExecute=" not in text


def test_promtool_accepts_the_configuration_and_the_alerts_fire() -> None:
    promtool = program("promtool")
    for arguments in (("check", "config", "prometheus.yml"), ("test", "rules", "alerts.test.yml")):
        done = subprocess.run(
            [promtool, *arguments], cwd=MONITORING, capture_output=True, text=True, check=False, timeout=120
        )
        assert done.returncode == 0, done.stdout + done.stderr


RULES = [rule for group in yaml.safe_load(read("monitoring/alerts.yml"))["groups"] for rule in group["rules"]]
DASHBOARD = json.loads(read("monitoring/dashboard.json"))


def test_every_alert_is_tested_and_says_how_urgent_it_is() -> None:
    tests = yaml.safe_load(read("monitoring/alerts.test.yml"))["tests"]
    fired = {each["alertname"] for test in tests for each in test["alert_rule_test"] if each["exp_alerts"]}
    assert fired == {rule["alert"] for rule in RULES}
    assert {rule["labels"]["severity"] for rule in RULES} == {"page", "ticket"}
    assert all(rule["annotations"]["summary"] for rule in RULES)


def samples() -> dict[str, set[str]]:
    """The names of all samples of a server, with their labels."""
    metrics = Metrics()
    found: dict[str, set[str]] = {"up": {"job", "instance"}}
    suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"], "info": ["_info"], "gauge": [""]}
    labels: dict[str, set[str]] = {}
    for each in vars(metrics).values():
        if hasattr(each, "_labelnames"):
            labels[each._name] = set(each._labelnames)
    for family in metrics.registry.collect():
        for suffix in suffixes[family.type]:
            own = labels.get(family.name, set())
            found[family.name + suffix] = own | {"job", "instance"} | ({"le"} if suffix == "_bucket" else set())
    return found


EXPRESSIONS = [(rule["alert"], rule["expr"]) for rule in RULES] + [
    (panel["title"], target["expr"]) for panel in DASHBOARD["panels"] for target in panel["targets"]
]


@pytest.mark.skipif(sys.platform != "linux", reason="the metrics of the process are Linux's")
@pytest.mark.parametrize(("where", "expression"), EXPRESSIONS)
def test_alerts_and_dashboard_use_metrics_and_labels_that_exist(where: str, expression: str) -> None:
    known = samples()
    names = re.findall(r"\b(?:riverstones|process)_\w+|\bup\b", expression)
    assert names
    assert [name for name in names if name not in known] == []
    used = {name for part in re.findall(r"by \(([^)]*)\)", expression) for name in part.split(", ")}
    used |= set(re.findall(r"(\w+)=\"", expression))
    assert used <= set.union(*(known[name] for name in names))


def test_the_dashboard_shows_every_metric() -> None:
    shown = " ".join(expression for _, expression in EXPRESSIONS[len(RULES) :])
    own = {family.name for family in Metrics().registry.collect() if family.name.startswith("riverstones")}
    assert [name for name in own if name not in shown] == []
