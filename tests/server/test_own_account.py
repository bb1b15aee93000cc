"""What people can do with their accounts: see and end sessions, carry games over, export, delete."""

import json

import pytest

from .running import API, Running
from .test_accounts import refused
from .test_lists import game_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"


@pytest.mark.parametrize(
    ("user_agent", "device"),
    [(FIREFOX, "Firefox · Linux"), (IPHONE, "Safari · iPhone"), ("curl/8.5", None), ("", None)],
)
def test_of_a_device_only_browser_and_system_are_stored(server: Running, user_agent: str, device: str | None) -> None:
    ann = server.client(None)
    ann.http.headers["user-agent"] = user_agent
    ann.post("/me", {"name": "Ann"})
    assert [session["device"] for session in ann.get("/account")["sessions"]] == [device]


def test_sessions_on_other_devices_are_seen_and_ended(server: Running) -> None:
    ann, phone, eve = server.client("Ann"), server.client(None), server.client("Eve")
    phone.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    told = ann.get("/account")
    assert told["me"]["account"]
    assert sorted(session["current"] for session in told["sessions"]) == [False, True]
    other = next(session["session"] for session in told["sessions"] if not session["current"])
    assert [session["session"] for session in phone.get("/account")["sessions"] if session["current"]] == [other]
    refused(404, "not_found", eve.request, "DELETE", f"/account/sessions/{other}")
    assert phone.get("/me") is not None
    ann.request("DELETE", f"/account/sessions/{other}")
    assert phone.get("/me") is None
    assert len(ann.get("/account")["sessions"]) == 1
    refused(404, "not_found", ann.request, "DELETE", f"/account/sessions/{other}")
    cookie = ann.http.cookies["riverstones"].partition(".")[0]
    assert cookie not in json.dumps(ann.get("/account"))


def test_a_guests_finished_games_are_carried_over_to_the_account(server: Running) -> None:
    ann, device, bob = server.client("Ann"), server.client("Guest"), server.client("Bob")
    finished, running_game = game_of(device, bob), game_of(device, bob)
    device.do(finished, "resign", seat=0)
    device.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert device.get("/me")["name"] == "Ann"
    for client in (ann, device):
        assert [game["table"] for game in client.get("/games")["games"]] == [finished]
    assert {game["table"] for game in bob.get("/games")["games"]} == {finished, running_game}


def test_an_account_takes_over_nothing_from_another_account(server: Running) -> None:
    ann, bob, eve = server.client("Ann"), server.client("Bob"), server.client("Eve")
    eve.do(game_of(eve, bob), "resign", seat=0)
    eve.keep_account()
    eve.post("/account/links/redeem", {"code": ann.post("/account/links")["code"]})
    assert ann.get("/games")["games"] == []


def test_an_export_has_everything_of_oneself_and_nothing_of_others(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    finished, running_game = game_of(ann, bob), game_of(ann, bob)
    others = game_of(bob, server.client("Cy"))
    ann.do(finished, "resign", seat=0)
    answer = ann.http.get(f"{API}/account/export")
    assert "attachment" in answer.headers["content-disposition"]
    told = answer.json()
    assert told["account"] == ann.get("/account")
    assert told["preferences"] is None
    records = {game["summary"]["table"]: game["record"] for game in told["games"]}
    assert set(records) == {finished, running_game}
    assert records[running_game] is None
    assert "Riverstones" in records[finished]
    assert others not in answer.text


def test_an_account_is_deleted_by_its_name(server: Running) -> None:
    ann, bob = server.client("Ann"), server.client("Bob")
    ann.keep_account()
    table = game_of(ann, bob)
    refused(400, "name_differs", ann.post, "/account/delete", {"name": "Bob"})
    assert ann.get("/me") is not None
    cookies = dict(ann.http.cookies)
    ann.post("/account/delete", {"name": " Ann "})
    ann.http.cookies.update(cookies)
    assert ann.get("/me") is None
    assert [game["table"] for game in bob.get("/games")["games"]] == [table]
