"""Several people at one table, each with their own browser."""

import re

from playwright.sync_api import WebSocketRoute, expect

from riverstones.rules import Game, Move, Play, Tile, Variant

from . import scenes
from .conftest import ADDRESSES
from .scenes import PEBBLE, my_turn
from .visitors import PHONE, Visitor, Visitors, hands_in

ASK_TWICE = """async (button) => {
  const size = () => JSON.stringify(button.getBoundingClientRect());
  const before = size();
  button.click();
  button.click();
  await Promise.resolve();  // the page is updated, and no answer can have arrived
  return [before, size(), button.innerText, button.ariaBusy];
}"""


def sit_down(visitor: Visitor, link: str, name: str) -> None:
    """Follow a link and take the free seat."""
    visitor.go(link)
    visitor.page.get_by_label("Your name").fill(name)
    visitor.page.get_by_role("button", name="Sit here").click()
    visitor.page.wait_for_selector(".hand button")


def test_two_browsers_over_a_link_with_a_lost_connection_in_the_middle(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(PHONE)
    lines: list[WebSocketRoute] = []
    up = True

    def switch(route: WebSocketRoute) -> None:
        if up:
            lines.append(route)
            route.connect_to_server()
        else:
            route.close()

    ann.page.route_web_socket(re.compile("/socket$"), switch)
    ann.go("/")
    ann.page.get_by_role("button", name="Play with friends").click()
    ann.page.locator("dialog button.main").click()
    expect(ann.page.get_by_role("img", name="QR code for the link")).to_be_visible()
    link = ann.page.locator(".address").inner_text()
    path = link.removeprefix(ADDRESSES[0])
    assert ann.url + path == ann.page.url
    sit_down(bo, path, "Bo")
    expect(ann.page.locator(".people")).to_contain_text("Bo")
    players = (ann, bo)
    for number in range(4):
        mover = players[number % 2]
        mover.wait_for_my_turn()
        mover.lay(mover.plays()[0].move)
        mover.confirm()

    # The connection drops while Ann has a tentative tile; she presses Play anyway.
    ann.wait_for_my_turn()
    move = ann.plays()[0].move
    ann.lay(move)
    expect(ann.page.locator("button.play")).to_be_enabled()
    up = False
    lines[-1].close()
    expect(ann.page.locator(".status")).to_have_text("Reconnecting… your move is safe.")
    expect(ann.page.locator(".tentative")).to_have_count(1)
    ann.page.locator("button.play").click()
    assert bo.turn() == 4
    up = True
    expect(bo.page.locator(".sheet ol > li > button")).to_have_count(5)
    expect(ann.page.locator(".sheet ol > li > button")).to_have_count(5)
    assert bo.board()[move.square] == move.tile
    assert ann.board() == bo.board()
    assert ann.scores() == bo.scores()

    # They chat, and a spectator joins.
    bo.page.get_by_role("tab", name="Chat").click()
    bo.page.get_by_label("Write a message").fill("<b>Well played</b>")
    bo.page.get_by_role("button", name="Send").click()
    ann.page.get_by_role("tab", name="Chat").click()
    expect(ann.page.get_by_role("log")).to_contain_text("Bo <b>Well played</b>")
    cleo = visitors.come()
    cleo.go(path)
    expect(cleo.page.locator(".front")).to_contain_text("You are watching")
    assert cleo.board() == ann.board()
    assert not [hand for frame in cleo.frames for hand in hands_in(frame)]


def test_a_tentative_tile_returns_with_the_reason_when_its_square_is_taken(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    ann.game(bo).open(ann, bo)
    ann.wait_for_my_turn()
    bo.page.wait_for_selector(".hand button")
    square = ann.board().frontier()[-1]
    bo.lay(Move(square, Tile.parse(f"+{bo.hand()[0]}")))
    expect(bo.page.locator("button.play")).to_be_disabled()
    ann.lay(Move(square, Tile.parse(f"+{ann.hand()[0]}")))
    ann.confirm()
    bo.wait_for_my_turn()
    expect(bo.page.locator(".tentative")).to_have_count(0)
    expect(bo.page.locator(".status")).to_have_text(f"{square} is taken.")


def test_hidden_hands_are_neither_in_the_page_nor_in_the_network_log(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come()
    link = ann.make_table({"who": "me"}, {"who": "open"})
    sit_down(bo, link, "Bo")
    ann.page.wait_for_selector(".hand button")
    own: dict[str, list[list[int]]] = {"ann": [], "bo": []}
    for number in range(4):
        own["ann"].append(ann.hand())
        own["bo"].append(bo.hand())
        mover = (ann, bo)[number % 2]
        mover.wait_for_my_turn()
        mover.lay(mover.plays()[0].move)
        mover.confirm()
        (ann, bo)[1 - number % 2].wait_for_my_turn()
    own["ann"].append(ann.hand())
    own["bo"].append(bo.hand())
    for visitor, name in ((ann, "ann"), (bo, "bo")):
        told = [hand for frame in visitor.frames for hand in hands_in(frame)]
        assert told, "one's own hand is told"
        assert all(hand in own[name] for hand in told), "and no other"
        assert not [frame for frame in visitor.frames if "seed" in str(frame.get("event", {}))]
        backs = visitor.page.locator(".person .backs").all_inner_texts()
        assert all(not text.strip() for text in backs)
        assert visitor.page.locator(".hand button").count() == 2


def test_claims_with_objections(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(PHONE, name="Bo")
    ann.game(bo, scoring="claims").open(ann, bo)

    # Ann's claim is wrong, and Bo objects.
    ann.wait_for_my_turn()
    ann.lay(Move(ann.board().frontier()[0], Tile.parse(f"+{ann.hand()[0]}")))
    expect(ann.page.locator(".lights .sum")).to_have_count(0)
    for digit in "13":
        ann.page.locator(".pad .keys button", has_text=digit).click()
    ann.page.get_by_role("button", name="Claim 13 and play").click()
    expect(bo.page.locator(".claim")).to_contain_text("Ann claims 13.")
    assert bo.scores() == [13, 0]
    bo.page.get_by_role("button", name="Object", exact=True).click()
    expect(bo.page.locator(".claim")).to_contain_text("Bo is right: no points for that move. It was worth 0.")
    expect(ann.page.locator(".claim")).to_contain_text("Bo is right")
    assert ann.scores() == [0, 0]

    # Bo's claim is right; Ann's objection is rejected.
    bo.wait_for_my_turn()
    play = bo.plays()[0]
    bo.lay(play.move)
    bo.page.locator(".pad input").focus()
    bo.page.keyboard.type(str(play.points))
    bo.page.locator(".pad .play").click()
    ann.page.get_by_role("button", name="Object", exact=True).click()
    expect(ann.page.locator(".claim")).to_contain_text("Ann objects, but the claim is right.")
    assert ann.scores() == [0, play.points]

    # A claim may be accepted.
    ann.wait_for_my_turn()
    ann.lay(Move(ann.board().frontier()[-1], Tile.parse(f"+{ann.hand()[0]}")))
    ann.page.get_by_role("button", name="Claim 0 and play").click()
    bo.page.get_by_role("button", name="Accept").click()
    expect(bo.page.get_by_role("button", name="Accept")).to_have_count(0)


def test_an_objection_can_be_made_while_the_device_changes_hands(visitors: Visitors) -> None:
    ann = visitors.come(PHONE)
    ann.game((ann, "Bo"), scoring="claims").open(ann)
    ann.page.locator(".pass .reveal").click()
    ann.page.wait_for_selector(".hand button")
    ann.lay(Move(ann.board().frontier()[0], Tile.parse(f"+{ann.hand()[0]}")))
    ann.page.locator(".pad .keys button", has_text="9").click()
    ann.page.get_by_role("button", name="Claim 9 and play").click()
    passing = ann.page.locator(".pass")
    expect(passing).to_contain_text("Ann claims 9.")
    assert ann.scores() == [9, 0]
    passing.get_by_role("button", name="Object", exact=True).click()
    expect(passing).to_contain_text("Bo is right: no points for that move. It was worth 0.")
    assert ann.page.locator(".hand").count() == 0, "no hand is in the page for it"
    assert ann.scores() == [0, 0]
    passing.get_by_role("button", name="I am Bo").click()
    ann.page.wait_for_selector(".hand button")


def test_the_expert_game_flips_several_tiles_in_one_move(visitors: Visitors) -> None:
    ann = visitors.come()
    ann.game(PEBBLE, variant="expert").play_until(has_several_flips).open(ann)
    ann.wait_for_my_turn()
    play = most_flips(ann.plays(Variant.EXPERT))
    assert len(play.move.flips) > 1
    ann.lay(play.move)
    ann.check_preview(play.move, Variant.EXPERT)
    ann.confirm()


def most_flips(found: list[Play]) -> Play:
    return max(found, key=lambda play: (len(play.move.flips), play.points))


def has_several_flips(game: Game) -> bool:
    return game.to_move == 0 and len(most_flips(game.plays()).move.flips) > 1


def test_an_illegal_flip_shows_its_reason_at_the_tile(visitors: Visitors) -> None:
    ann = visitors.come()
    my_turn(ann)
    ann.lay(Move.parse(f"c4+{ann.hand()[0]}"))
    ann.square("g5").click()
    sentence = "g5 is not in line with c4: both must be in the same Kakuro."
    expect(ann.page.locator(".lights .note")).to_have_text(sentence)
    expect(ann.page.locator(".status")).to_have_text(sentence)
    expect(ann.page.locator("button.play")).to_be_disabled()
    ann.square("g5").click()
    expect(ann.page.locator(".lights .note:not(.calm)")).to_have_count(0)
    expect(ann.page.locator("button.play")).to_be_enabled()


def test_a_hint_comes_in_three_steps(visitors: Visitors) -> None:
    ann = visitors.come()
    game = my_turn(ann, hints=True)
    assert game.rules.plays()[0].points == 0
    hint = ann.page.get_by_role("button", name="Hint")
    # The button says at once that a hint is on its way, and keeps its size. Pressing twice asks once.
    size, asked, told, busy = hint.evaluate(ASK_TWICE)
    assert (asked, told, busy) == (size, "Thinking…", "true")
    # On a busy machine the search times out only after half a minute.
    expect(ann.page.locator(".status")).to_have_text(
        re.compile(r"^No move scores now\. Look at [a-i][1-9]\.$"), timeout=60_000
    )
    expect(ann.page.locator(".hinted")).to_have_count(1)
    # A tentative tile returns to the hand, so that it does not hide the next step.
    square = ann.page.locator(".hinted").get_attribute("data-name")
    elsewhere = next(each for each in ann.board().frontier() if str(each) != square)
    ann.lay(Move(elsewhere, Tile.parse(f"+{ann.hand()[0]}")))
    expect(ann.page.locator(".hinted")).to_have_count(0)
    hint.click()
    more = ann.page.get_by_role("button", name="Tell me more")
    expect(ann.page.locator(".tentative")).to_have_count(0)
    expect(ann.page.locator(".status")).to_have_text(
        re.compile(rf"^No move scores now\. Your [1-9], (yellow|red) side up, on {square}\.$")
    )
    expect(ann.page.locator(".hand .hinted")).to_have_count(1)
    more.click()
    expect(ann.page.locator(".status")).to_have_text(re.compile(rf"on {square}\. No move scores now\."))
    # The last step places the move tentatively.
    ann.page.get_by_role("button", name="Place it").click()
    expect(ann.page.locator(f'.tentative[data-name="{square}"]')).to_have_count(1)
    expect(ann.page.locator("button.play")).to_be_enabled()


def test_a_rematch_is_offered_and_a_move_can_be_taken_back(visitors: Visitors) -> None:
    ann = visitors.come()
    path = my_turn(ann).path
    start = ann.board()
    ann.lay(ann.plays()[0].move)
    ann.confirm()
    ann.wait_for_my_turn()
    ann.page.get_by_role("button", name="Menu").click()
    expect(ann.page.get_by_role("button", name="pause")).to_have_count(0)
    ann.page.get_by_role("button", name="Undo the last move").click()
    expect(ann.page.locator(".sheet ol > li > button")).to_have_count(0)
    assert ann.board() == start
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Really resign?").click()
    expect(ann.page.locator(".end h2")).to_have_text("Pebble wins")
    ann.page.get_by_role("button", name="Rematch").click()
    # The bot agrees, and Ann is taken to the new table.
    ann.page.wait_for_url(lambda url: path not in url)
    ann.wait_for_my_turn()
    assert ann.page.title() == "● Your turn · Riverstones"


def test_everybody_who_agreed_to_a_rematch_is_taken_there(visitors: Visitors) -> None:
    ann, bo, cleo = visitors.come(), visitors.come(PHONE, name="Bo"), visitors.come()
    link = ann.game(bo).resign().open(ann, bo, cleo)
    cleo.page.wait_for_selector(".end")
    ann.page.get_by_role("button", name="Rematch").click()
    bo.page.get_by_role("button", name="Agree").click()
    for player in (ann, bo):
        player.page.wait_for_url(lambda url: "/t/" in url and link not in url)
        player.page.wait_for_selector(".hand button")
    assert ann.page.url == bo.page.url
    bo.wait_for_my_turn()

    # Spectators and returning players get a link and are not redirected.
    ann.page.go_back()
    for visitor in (ann, cleo):
        way = visitor.page.get_by_role("link", name="To the rematch")
        expect(way).to_be_visible()
        assert link in visitor.page.url
    ann.page.wait_for_timeout(500)
    assert link in ann.page.url
    cleo.page.get_by_role("link", name="To the rematch").click()
    expect(cleo.page.locator(".front")).to_contain_text("You are watching")
    assert cleo.page.url == bo.page.url
    ann.page.go_forward()
    ann.page.wait_for_selector(".hand button")
    assert ann.page.url == bo.page.url


def test_own_messages_are_never_unread_and_read_ones_stay_read(visitors: Visitors) -> None:
    ann, bo = visitors.come(), visitors.come(name="Bo")
    ann.game(bo).open(ann, bo)
    ann.page.get_by_role("tab", name="Chat").click()
    ann.page.get_by_label("Write a message").fill("Hello")
    ann.page.get_by_role("button", name="Send").click()
    new = {visitor.page: visitor.page.locator("#tab-chat .new") for visitor in (ann, bo)}
    expect(new[bo.page]).to_have_count(1)
    bo.page.get_by_role("tab", name="Chat").click()
    expect(new[bo.page]).to_have_count(0)
    for visitor in (ann, bo):
        visitor.page.reload()
        visitor.page.wait_for_selector("#tab-chat")
        expect(new[visitor.page]).to_have_count(0)
    # A message of the other is unread while the chat is closed.
    bo.page.get_by_role("tab", name="Chat").click()
    bo.page.get_by_label("Write a message").fill("Hello yourself")
    bo.page.get_by_role("button", name="Send").click()
    expect(new[ann.page]).to_have_count(1)
    ann.page.reload()
    expect(new[ann.page]).to_have_count(1)
    expect(new[bo.page]).to_have_count(0)


def test_a_replay_shows_the_players_colours(visitors: Visitors) -> None:
    """Ann has teal, the default colour, on the first seat, so the bot has indigo."""
    ann = visitors.come()
    scenes.replay(ann)
    expect(ann.page.locator(".board .pawn.seat-teal")).to_have_text("A")
    expect(ann.page.locator(".board .pawn.seat-indigo")).to_have_text("P")
