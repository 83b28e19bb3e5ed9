"""Writes the served pages of an evening as HTML: what is public for everybody, forms for those who may use them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from host_tools.base.errors import UnusableInput
from host_tools.club.tournament.log import tell_log
from host_tools.club.tournament.orders import make_orders
from host_tools.club.tournament.prizes import count_pool, find_prizes, money
from host_tools.club.tournament.printed import link_player, show_rows
from host_tools.club.tournament.roles import ARBITER, Visitor
from host_tools.club.tournament.room import GONE, Room, Seen
from host_tools.club.tournament.rounds import is_over
from host_tools.club.tournament.standings import Row
from host_tools.club.tournament.state import Dispute, Event, Round, State, Unfit
from host_tools.club.tournament.teams import team_rows
from host_tools.club.tournament.wording import Wording

LOG_LINES = 500


def frame(state: State, visitor: Visitor, path: str, title: str, body: str, words: Wording, *, version: str,
          live: bool = False, said: str = "", alert: UnusableInput | None = None, screen: bool = False, me: str = "",
          ) -> str:
    """A whole page. said, alert: what has just happened; version: of what it shows; me: whose phone this is."""
    links = [("/", "menu.evening"), ("/pairings", "menu.pairings"), ("/standings", "menu.standings")]
    links += [("/players", "menu.players"), ("/log", "menu.log")] if visitor.keeps_score else []
    here = {path: ' aria-current="page"'}
    menu = "".join(f'<li><a href="{to}"{here.get(to, "")}>{words.html(key)}</a></li>' for to, key in links)
    menu += "".join(f'<li><a href="?language={other.language}" lang="{other.language}" hreflang="{other.language}">'
                    f'{other.html("language")}</a></li>' for other in words.others())
    who = f"<p>{words.html(f'role.{visitor.role}', name=visitor.name)}</p>" if visitor.keeps_score else ""
    notes = f'<p class="alert" role="alert">{escape(words.tell(alert))}</p>' if alert else ""
    notes += f'<p class="said" role="status">{escape(said)}</p>' if said else ""
    plan = state.the_plan()
    who += f"<p>{link_player(me)}</p>" if me in state.players else ""
    search = (f'<form method="get" action="/find" role="search"><input type="search" name="name" maxlength="32"'
              f' aria-label="{words.html("find.label")}" placeholder="{words.html("find.label")}">'
              f' <button class="quiet">{words.html("find")}</button></form>')
    head = (f'<header><h1>{escape(plan.name)}</h1><nav aria-label="{words.html("menu")}"><ul>{menu}</ul></nav>{who}'
            f"{search}</header>")
    clock = "".join(f' data-clock-{key}="{words.html(f"clock.{key}", time="@")}"' for key in ("gone", "left", "late"))
    marks = f'{clock}{" data-live" if live else ""}{" class=screen" if screen else ""}'
    return (f'<!doctype html>\n<html lang="{words.language}">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)} - {escape(plan.name)}</title>\n<link rel=\"icon\" href=\"data:,\">\n"
            '<link rel="stylesheet" href="/served/tournament.css">\n'
            '<script type="module" src="/served/live.js"></script>\n</head>\n'
            f'<body data-version="{escape(version)}"{marks}>\n'
            f"{head}\n<main>\n{notes}<h2>{escape(title)}</h2>\n{body}\n</main>\n</body>\n</html>\n")


def evening(state: State, visitor: Visitor, room: Room, words: Wording) -> str:
    """The lobby: what waits for the arbiter first, then every table, then what comes next."""
    parts = [show_disputes(list(state.disputes.values()), visitor, words)] if state.disputes else []
    one = state.round
    if one is None:
        parts.append(f"<p>{words.html('players.none', count=len(state.present()))}</p>")
    else:
        done = sum((one.number, table, one.games) in state.results for table in one.groups)
        count = words.html("round.count", games=len(state.missing_keys(one)), done=done, tables=len(one.groups))
        parts.append(f"<p>{words.html('round.clock', number=one.number)} {show_clock(state, one, words)}. {count}</p>")
        cells = "".join(show_table(state, one, table, visitor, room, words) for table in one.groups)
        parts.append(f'<ul class="tables">{cells}</ul>')
        parts += [f"<p>{escape(words.retell(line))}</p>" for line in one.gave_up]
    if is_over(state):
        parts.append(f'<p>{words.html("over")} <a href="/standings">{words.html("over.link")}</a>.</p>')
    elif visitor.role == ARBITER:
        parts.append(show_next(state, one, words))
    return "\n".join(parts)


def show_clock(state: State, one: Round, words: Wording) -> str:
    """The round's clock: how long it has gone on, or what is left of its minutes; live.js makes it go."""
    if state.is_complete(one):
        return words.html("clock.done")
    minutes = state.the_plan().minutes
    return (f'<span class="clock" data-since="{escape(one.begun)}"'
            f"{f' data-minutes={minutes}' if minutes else ''}></span>")


def show_disputes(disputes: Sequence[Dispute], visitor: Visitor, words: Wording) -> str:
    """What waits; the arbiter gets a link to the game, and to the decision."""
    lines = []
    for one in disputes:
        where = words.where(one.key) if one.key else words.say("game.none")
        text = escape(f"{where}: {words.retell(one.reason[:400])}")
        if visitor.keeps_score:
            text = f'<a href="/dispute/{one.number}">{words.html("dispute", number=one.number)}</a>: {text}'
        lines.append(f"<li>{text}</li>")
    return (f'<section class="waits" aria-labelledby="waits"><h2 id="waits">{words.html("waits")}</h2>'
            f"<ul>{''.join(lines)}</ul></section>")


def show_table(state: State, one: Round, table: str, visitor: Visitor, room: Room, words: Wording) -> str:
    """A table: who sits there, how its games ended, what the network says. Its name is a link to the spectators' page,
    or to the page of its state."""
    group = one.groups[table]
    results = [state.results.get((one.number, table, game)) for game in range(1, one.games + 1)]
    played = sum(result is not None for result in results)
    is_done = played == one.games
    lines = [f"<p>{'; '.join(map(link_player, group))}</p>"]
    for game, result in enumerate(results, 1):
        if result is not None:
            number = words.html("game.number", number=game) + ": " if one.games > 1 else ""
            seal = ""
            if visitor.keeps_score and result.seal in state.texts:
                seal = (f' <a href="/game/{quote(result.seal)}/">{words.html("watch")}<span class="dim">'
                        f" {escape(result.seal)}</span></a>")
            if result.seal in state.texts and not result.is_proved:
                seal += f' <span class="dim">{words.html("unproved")}</span>'
            lines.append(f"<p>{number}{escape(words.outcome(result.outcome))}{seal}</p>")
    seen, watch = room.table(table), state.watched.get(table)
    if seen is not None:
        lines.append(f'<p class="net {seen.state}">{words.html(f"net.{seen.state}")}</p>')
    if watch:
        lines.append(f'<p><a href="{escape(watch)}">{words.html("watch.table", table=table)}</a></p>')
    if visitor.role == ARBITER or visitor.keeps_score and not is_done:
        what = "correct.table" if is_done else "enter.table"
        link = f"/table/{one.number}/{quote(table, safe='')}"
        lines.append(f'<p><a href="{link}">{words.html(what, table=table)}</a></p>')
    state_words = words.html("state.playing")
    if is_done:
        state_words = words.html("state.done")
    elif one.games > 1:
        state_words = words.html("state.game", game=played + 1, games=one.games)
    name = f'<a href="{escape(watch or "/live/" + quote(table, safe=""))}">{escape(table)}</a>'
    return (f'<li{" class=done" if is_done else ""}><h3>{name} <span>{state_words}</span></h3>'
            f"{''.join(lines)}</li>")


def live(state: State, room: Room, table: str, visitor: Visitor, words: Wording) -> str:
    """The state of one table: on the network or not, what it plays next, what it brought last, what waits. Unfit."""
    if table not in state.table_keys and not any(table in one.groups for one in state.rounds):
        raise Unfit("no.such.table", table=table[:40])
    seen = room.table(table)
    parts = [show_seen(seen, room, words)]
    if seen is None:
        parts.append(f'<p class="dim">{words.html("live.never.how")}</p>')
    parts += [f"<h3>{words.html('live.next')}</h3>", *show_order(state, table, seen, words)]
    parts += [f"<h3>{words.html('live.last')}</h3>", show_last(state, table, visitor, words)]
    parts.append(f"<h3>{words.html('live.waits')}</h3>")
    waits = show_waits(state, table, seen, words)
    disputes = [one for one in state.disputes.values() if one.key and one.key[1] == table]
    if disputes:
        parts.append(show_disputes(disputes, visitor, words))
    parts += [f"<p>{escape(line)}</p>" for line in waits]
    if not disputes and not waits:
        parts.append(f"<p>{words.html('live.waits.none')}</p>")
    return "\n".join(parts)


def show_last(state: State, table: str, visitor: Visitor, words: Wording) -> str:
    """The last game of that table that counts; its record, for those who may see it."""
    found = [result for key, result in state.results.items() if key[1] == table]
    if not found:
        return f"<p>{words.html('live.last.none')}</p>"
    last = max(found, key=lambda result: (result.key[0], result.key[2]))
    told = words.html("live.last.told", round=last.key[0], game=last.key[2], outcome=words.outcome(last.outcome))
    text = f"<p>{told}</p>"
    if last.seal:
        text += f"<p>{words.html('live.last.seal', seal=last.seal, time=clock_of(last.at))}"
        if last.seal in state.texts and (visitor.keeps_score or state.is_complete(state.rounds[last.key[0] - 1])):
            text += f' <a href="/game/{quote(last.seal)}/">{words.html("watch")}</a>'
        text += "</p>"
    return text


def clock_of(at: str) -> str:
    """The time of a log as a page shows it."""
    return at.replace("T", " ").replace("Z", " UTC")


def show_seen(seen: Seen | None, room: Room, words: Wording) -> str:
    """What the network says of a table."""
    state = seen.state if seen else "never"
    told = [words.html(f"live.{state}")]
    if seen is not None:
        told.append(words.html("live.since", time=clock_of(seen.at)))
        if seen.bridge and seen.state != GONE:
            told.append(words.html("live.bridge", bridge=seen.bridge))
    text = f'<p class="net {state}">{" ".join(told)}</p>'
    if not room.is_heard:
        text += f'<p class="dim">{words.html("live.unheard")}</p>'
    return text


def show_order(state: State, table: str, seen: Seen | None, words: Wording) -> list[str]:
    """The director's order for that table, and whether the table has it."""
    one = next((order for order in make_orders(state) if order.table == table), None)
    if one is None:
        return [f"<p>{words.html('live.order.none' if state.round else 'round.none')}</p>"]
    said = dict(line.split(": ", 1) for line in one.setup.split("\n") if ": " in line)
    dealer = one.players[int(said["dealer"]) - 1]
    told = [words.html("live.order", round=one.round, game=one.game, players=", ".join(one.players), dealer=dealer,
                       rules=said["game"])]
    if seen is not None and seen.state != "playing" and (seen.order or seen.bridge):
        is_there = seen.order.startswith(f"r{one.round}-g{one.game}-")
        told.append(words.html("live.order.here" if is_there else "live.order.not"))
    return [f"<p>{line}</p>" for line in told]


def show_waits(state: State, table: str, seen: Seen | None, words: Wording) -> list[str]:
    """Games that are not played and records without a receipt, in sentences."""
    one = state.round
    games = sum(key[1] == table for key in state.missing_keys(one)) if one and not one.closed else 0
    told = [words.count("live.waits.games", games)] if games else []
    records = int(seen.waits) if seen and seen.waits.isascii() and seen.waits.isdecimal() else 0
    return told + ([words.count("live.waits.records", records)] if records else [])


def show_next(state: State, one: Round | None, words: Wording) -> str:
    """What the arbiter can do next."""
    if one is None or state.is_complete(one):
        return f'<form method="post" action="/do/round"><button>{words.html("seat.next")}</button></form>'
    return ('<form method="post" action="/do/close" class="line"><div>'
            f'<label for="close">{words.html("close.why")}</label>'
            '<input id="close" name="reason" required maxlength="200"></div>'
            f'<button class="quiet">{words.html("close")}</button></form>')


def scroll(table: str, label: str, words: Wording) -> str:
    """A table that a phone moves sideways, by finger or by keyboard; label: the key of its name."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{words.html(label)}">{table}</div>'


def standing(state: State, rows: list[Row], words: Wording) -> str:
    """The standings, teams, and at the end the prizes."""
    if not rows:
        return f"<p>{words.html('none.counted')}</p>"
    parts = [scroll(show_rows(rows, words, link_player), "menu.standings", words)]
    teams = "".join(f'<tr><td class="number">{rank}</td><td>{escape(team)}</td><td class="number">{points}</td></tr>'
                    for rank, team, points, _ in team_rows(state, rows))
    if teams:
        parts.append(f'<h2>{words.html("teams")}</h2><table><thead><tr><th scope="col" class="number">'
                     f'{words.html("rank")}</th><th scope="col">{words.html("team")}</th>'
                     f'<th scope="col" class="number">{words.html("points")}</th></tr></thead>'
                     f"<tbody>{teams}</tbody></table>")
    pool = count_pool(state)
    if pool:
        prizes = find_prizes(pool, state.the_plan().prizes, rows)
        lines = "".join(f"<li>{escape(row.name)}: {money(prizes[row.name])}</li>" for row in rows if row.name in prizes)
        note = "" if is_over(state) else f"<p>{words.html('not.prizes')}</p>"
        parts.append(f"<h2>{words.html('prizes')}</h2><p>{words.html('pool', sum=money(pool))}</p>{note}"
                     f"<ul>{lines}</ul>")
    files = "".join(f'<li><a href="/export/{name}">{name}</a></li>' for name in ("standings.csv", "tournament.json"))
    return "\n".join([*parts, f"<h2>{words.html('files')}</h2><ul>{files}</ul>"])


def players(state: State, visitor: Visitor, words: Wording) -> str:
    """Everybody, with what the arbiter may change."""
    lines = []
    may = visitor.role == ARBITER
    for entrant in state.players.values():
        forms = ""
        if may and not entrant.left:
            forms = (f'<form method="post" action="/do/withdraw" class="line"><input type="hidden" name="name"'
                     f' value="{escape(entrant.name)}"><input name="reason" value="{words.html("left")}" required'
                     f' maxlength="200" aria-label="{words.html("why.leaves", name=entrant.name)}">'
                     f'<button class="quiet">{words.html("withdraw")}</button></form>')
        elif may:
            forms = (f'<form method="post" action="/do/back"><input type="hidden" name="name"'
                     f' value="{escape(entrant.name)}"><button>{words.html("back")}</button></form>')
        lines.append(f"<tr><td>{escape(entrant.name)}</td><td>{escape(entrant.club)}</td>"
                     f"<td>{escape(entrant.team)}</td><td>{escape(entrant.left) or words.html('plays')}</td>"
                     f"<td>{forms}</td></tr>")
    add = ""
    if may:
        fields = "".join(f'<div><label for="{key}">{words.html(key)}</label><input id="{key}" name="{key}"'
                         f'{" required" if key == "name" else ""} maxlength="32"></div>'
                         for key in ("name", "club", "team"))
        add = f'<form method="post" action="/do/add" class="line">{fields}<button>{words.html("add")}</button></form>'
    heads = "".join(f'<th scope="col">{words.html(key)}</th>' for key in ("player", "club", "team", "plays", "change"))
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    return add + scroll(table, "menu.players", words)


def result_form(state: State, number: int, table: str, words: Wording) -> str:
    """Places of one table's game, the letters, and for a game that has a result the reason."""
    group = state.find_group((number, table, 1))
    one = state.rounds[number - 1]
    open_games = [game for game in range(1, one.games + 1) if (number, table, game) not in state.results]
    game = open_games[0] if open_games else one.games
    had = state.results.get((number, table, game))
    fields = []
    for at, name in enumerate(group, 1):
        options = "".join(f'<option value="{place}">{place}</option>' for place in range(1, len(group) + 1))
        fields.append(f'<div><label for="p{at}">{escape(name)}</label><select id="p{at}" name="p{at}" required>'
                      f'<option value="">{words.html("place")}</option>{options}</select></div>')
    last = (f'<div><label for="reason">{words.html("reason")}</label>'
            '<input id="reason" name="reason" required maxlength="200"></div>'
            if had else f'<div><label for="letters">{words.html("letters")}</label><input id="letters" name="letters"'
            ' maxlength="20" autocomplete="off" spellcheck="false"></div>')
    told = f"<p>{words.html('counts.as', outcome=words.outcome(had.outcome))}</p>" if had else ""
    return (f"<p>{words.html('form', round=number, table=table, game=game)}</p>"
            f'{told}<form method="post" action="/do/{"correct" if had else "result"}">'
            f'<input type="hidden" name="round" value="{number}">'
            f'<input type="hidden" name="table" value="{escape(table)}">'
            f'<input type="hidden" name="game" value="{game}"><div class="line">{"".join(fields)}</div>'
            f'<p><label><input type="checkbox" name="draw" value="yes"> {words.html("nobody.lost")}</label></p>'
            f"{last}<p><button>{words.html('correct' if had else 'enter')}</button></p></form>")


def dispute(state: State, number: int, visitor: Visitor, words: Wording) -> str:
    """One dispute, the game itself, and what the arbiter says."""
    one = state.disputes[number]
    had = state.results.get(one.key) if one.key else None
    came_by = words.html("came.by", source=words.source(one.source))
    lines = [f"<p>{escape(words.retell(one.reason))}</p>", f"<p>{came_by}</p>"]
    if one.outcome is not None:
        lines.append(f"<p>{words.html('it.says', outcome=words.outcome(one.outcome))}</p>")
    if had is not None:
        seal = had.seal or words.say("nothing")
        lines.append(f"<p>{words.html('counts.now', outcome=words.outcome(had.outcome), seal=seal)}</p>")
    for title, seal in (("show.this", one.seal), ("show.other", had.seal if had else "")):
        if seal in state.texts:
            lines.append(f'<p><a href="/game/{quote(seal)}/">{words.html(title)}</a> {escape(seal)}</p>')
    if visitor.role == ARBITER:
        place = ""
        if one.key is None and state.round is not None:
            options = "".join(f"<option>{escape(table)}</option>" for table in state.round.groups)
            place = (f'<div><label for="table">{words.html("game.of")}</label>'
                     f'<select id="table" name="table">{options}</select></div>'
                     f'<input type="hidden" name="round" value="{state.round.number}">')
        lines.append(f'<form method="post" action="/do/decide">'
                     f'<input type="hidden" name="dispute" value="{number}">{place}'
                     f'<div><label for="reason">{words.html("reason")}</label>'
                     '<input id="reason" name="reason" required maxlength="200"></div>'
                     f'<p><button name="takes" value="yes">{words.html("it.counts")}</button>'
                     f' <button name="takes" value="no" class="quiet">{words.html("set.aside")}</button></p></form>')
    return "\n".join(lines)


def log(events: Sequence[Event], visitor: Visitor, words: Wording) -> str:
    """What was done, the newest first; the arbiter can take it back."""
    told = list(tell_log(events, words))
    lines = []
    for event, line in list(zip(events, told, strict=True))[: -LOG_LINES - 1 : -1]:
        undo = ""
        if visitor.role == ARBITER and event.kind != "opened" and not line.endswith(words.say("log.undone.mark")):
            undo = (f'<form method="post" action="/do/undo" class="line"><input type="hidden" name="event"'
                    f' value="{event.number}"><button class="quiet"'
                    f' aria-label="{words.html("undo.event", number=event.number)}">{words.html("undo")}</button>'
                    "</form>")
        lines.append(f'<tr><td>{escape(line)}</td><td>{undo}</td></tr>')
    table = (f'<table class="log"><thead><tr><th scope="col">{words.html("event")}</th>'
             f'<th scope="col">{words.html("change")}</th></tr></thead><tbody>{"".join(lines)}</tbody></table>')
    return scroll(table, "menu.log", words)
