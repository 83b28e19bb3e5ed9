"""Writes the served pages of an evening as HTML: what is public for everybody, forms for those who may use them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from host_tools.tournament.log import tell_log
from host_tools.tournament.prizes import count_pool, find_prizes, money
from host_tools.tournament.printed import show_pairings, show_rows
from host_tools.tournament.roles import ARBITER, Visitor
from host_tools.tournament.rounds import is_over
from host_tools.tournament.standings import Row
from host_tools.tournament.state import Dispute, Event, Round, State, tell_key
from host_tools.tournament.teams import team_rows

LOG_LINES = 500


def frame(state: State, visitor: Visitor, path: str, title: str, body: str, *, live: bool = False, said: str = "",
          alert: str = "", screen: bool = False) -> str:
    """A whole page. said, alert: what has just happened."""
    links = [("/", "Evening"), ("/pairings", "Pairings"), ("/standings", "Standings")]
    links += [("/players", "Players"), ("/log", "Log")] if visitor.keeps_score else []
    here = {path: ' aria-current="page"'}
    menu = "".join(f'<li><a href="{to}"{here.get(to, "")}>{name}</a></li>' for to, name in links)
    who = f"<p>{escape(visitor.signature)}</p>" if visitor.keeps_score else ""
    notes = f'<p class="alert" role="alert">{escape(alert)}</p>' if alert else ""
    notes += f'<p class="said" role="status">{escape(said)}</p>' if said else ""
    plan = state.the_plan()
    head = (f'<header><h1>{escape(plan.name)}</h1><nav aria-label="Pages"><ul>{menu}</ul></nav>{who}</header>')
    return ('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)} - {escape(plan.name)}</title>\n<link rel=\"icon\" href=\"data:,\">\n"
            '<link rel="stylesheet" href="/served/tournament.css">\n'
            '<script type="module" src="/served/live.js"></script>\n</head>\n'
            f'<body data-version="{state.last}"{" data-live" if live else ""}{" class=screen" if screen else ""}>\n'
            f"{head}\n<main>\n{notes}<h2>{escape(title)}</h2>\n{body}\n</main>\n</body>\n</html>\n")


def evening(state: State, visitor: Visitor) -> str:
    """The lobby: what waits for the arbiter first, then every table, then what comes next."""
    parts = [show_disputes(list(state.disputes.values()), visitor)] if state.disputes else []
    one = state.round
    if one is None:
        parts.append(f"<p>{len(state.present())} players are there. No round has been seated yet.</p>")
    else:
        done = sum((one.number, table, one.games) in state.results for table in one.groups)
        to_come = len(state.missing_keys(one))
        parts.append(f"<p>Round {one.number}, {show_clock(state, one)}."
                     f" {to_come} games to come, {done} of {len(one.groups)} tables are done.</p>")
        cells = "".join(show_table(state, one, table, visitor) for table in one.groups)
        parts.append(f'<ul class="tables">{cells}</ul>')
        parts += [f"<p>{escape(line)}</p>" for line in one.gave_up]
    if is_over(state):
        parts.append('<p>The tournament is over: see the <a href="/standings">standings</a>.</p>')
    elif visitor.role == ARBITER:
        parts.append(show_next(state, one))
    return "\n".join(parts)


def show_clock(state: State, one: Round) -> str:
    """The round's clock: how long it has gone on, or what is left of its minutes; live.js makes it go."""
    minutes = state.the_plan().minutes
    return (f'<span class="clock" data-since="{escape(one.begun)}"'
            f"{f' data-minutes={minutes}' if minutes else ''}></span>")


def show_disputes(disputes: Sequence[Dispute], visitor: Visitor) -> str:
    """What waits; the arbiter gets a link to the game, and to the decision."""
    lines = []
    for one in disputes:
        text = escape(f"{tell_key(one.key) if one.key else 'a game'}: {one.reason[:400]}")
        if visitor.keeps_score:
            text = f'<a href="/dispute/{one.number}">Dispute {one.number}</a>: {text}'
        lines.append(f"<li>{text}</li>")
    return ('<section class="waits" aria-labelledby="waits"><h2 id="waits">Waits for the arbiter</h2>'
            f"<ul>{''.join(lines)}</ul></section>")


def show_table(state: State, one: Round, table: str, visitor: Visitor) -> str:
    """A table: who sits there, and what its games brought."""
    group = one.groups[table]
    results = [state.results.get((one.number, table, game)) for game in range(1, one.games + 1)]
    played = sum(result is not None for result in results)
    is_done = played == one.games
    lines = [f"<p>{escape('; '.join(group))}</p>"]
    for game, result in enumerate(results, 1):
        if result is not None:
            number = f"Game {game}: " if one.games > 1 else ""
            seal = ""
            if visitor.keeps_score and result.seal in state.texts:
                seal = (f' <a href="/game/{quote(result.seal)}/">Watch<span class="dim"> {escape(result.seal)}</span>'
                        "</a>")
            lines.append(f"<p>{number}{escape(result.outcome.tell())}{seal}</p>")
    watch = state.watched.get(table)
    if watch:
        lines.append(f'<p><a href="{escape(watch)}">Watch {escape(table)}</a></p>')
    if visitor.role == ARBITER or visitor.keeps_score and not is_done:
        what = "Correct the result" if is_done else "Enter the result"
        lines.append(f'<p><a href="/table/{one.number}/{quote(table, safe="")}">{what} of {escape(table)}</a></p>')
    state_words = "done" if is_done else f"game {played + 1} of {one.games}" if one.games > 1 else "playing"
    return (f'<li{" class=done" if is_done else ""}><h3>{escape(table)} <span>{state_words}</span></h3>'
            f"{''.join(lines)}</li>")


def show_next(state: State, one: Round | None) -> str:
    """What the arbiter can do next."""
    if one is None or state.is_complete(one):
        return '<form method="post" action="/do/round"><button>Seat the next round</button></form>'
    return ('<form method="post" action="/do/close" class="line"><div>'
            '<label for="close">Close this round, because</label>'
            '<input id="close" name="reason" required maxlength="200"></div>'
            '<button class="quiet">Close, and seat the next round</button></form>')


def pairings(state: State) -> str:
    """Who sits where."""
    one = state.round
    return f'<div class="scroll">{show_pairings(one)}</div>' if one else "<p>No round has been seated yet.</p>"


def standing(state: State, rows: list[Row]) -> str:
    """The standings, teams, and at the end the prizes."""
    if not rows:
        return "<p>No game has been counted yet.</p>"
    parts = [f'<div class="scroll">{show_rows(rows)}</div>']
    teams = "".join(f'<tr><td class="number">{rank}</td><td>{escape(team)}</td><td class="number">{points}</td></tr>'
                    for rank, team, points, _ in team_rows(state, rows))
    if teams:
        parts.append('<h2>Teams</h2><table><thead><tr><th scope="col" class="number">Rank</th><th scope="col">Team</th>'
                     f'<th scope="col" class="number">Points</th></tr></thead><tbody>{teams}</tbody></table>')
    pool = count_pool(state)
    if pool:
        prizes = find_prizes(pool, state.the_plan().prizes, rows)
        lines = "".join(f"<li>{escape(row.name)}: {money(prizes[row.name])}</li>" for row in rows if row.name in prizes)
        note = "" if is_over(state) else "<p>The tournament is not over: these are not the prizes yet.</p>"
        parts.append(f"<h2>Prizes</h2><p>The pool is {money(pool)}.</p>{note}<ul>{lines}</ul>")
    files = "".join(f'<li><a href="/export/{name}">{name}</a></li>' for name in ("standings.csv", "tournament.json"))
    return "\n".join([*parts, f"<h2>Files</h2><ul>{files}</ul>"])


def screen(state: State) -> str:
    """The pairings, for a television."""
    one = state.round
    if one is None:
        return "<p>No round has been seated yet.</p>"
    open_tables = {key[1] for key in state.missing_keys(one)}
    marks = {table: "" if table in open_tables else " class=done" for table in one.groups}
    cells = "".join(f"<li{marks[table]}><h3>{escape(table)}</h3><p>{escape('; '.join(group))}</p></li>"
                    for table, group in one.groups.items())
    rest = f"<p>Sits out: {escape(', '.join(one.byes))}</p>" if one.byes else ""
    return f'<p>Round {one.number}, {show_clock(state, one)}</p><ul class="tables">{cells}</ul>{rest}'


def player(state: State, rows: list[Row], name: str) -> str:
    """What a player's phone shows: where to sit, and how it stands."""
    one = state.round
    state.find_player(name)
    seats = [(table, seat) for table, group in (one.groups.items() if one else ())
             for seat, other in enumerate(group, 1) if other == name]
    text = f"<p>Round {one.number if one else 0}: you sit out.</p>"
    if one is None:
        text = "<p>No round has been seated yet.</p>"
    elif seats:
        table, seat = seats[0]
        others = ", ".join(other for other in one.groups[table] if other != name)
        text = (f"<p>Round {one.number}: <b>{escape(table)}, seat {seat}</b></p><p>You play {escape(others)}.</p>")
    row = next((row for row in rows if row.name == name), None)
    if row is not None:
        text += f"<p>Rank {row.rank} of {len(rows)}, {row.points} points, {row.games} games.</p>"
    return text


def players(state: State, visitor: Visitor) -> str:
    """Everybody, with what the arbiter may change."""
    lines = []
    may = visitor.role == ARBITER
    for entrant in state.players.values():
        forms = ""
        if may and not entrant.left:
            forms = (f'<form method="post" action="/do/withdraw" class="line"><input type="hidden" name="name"'
                     f' value="{escape(entrant.name)}"><input name="reason" value="left" required maxlength="200"'
                     f' aria-label="Why {escape(entrant.name)} leaves"><button class="quiet">Withdraw</button></form>')
        elif may:
            forms = (f'<form method="post" action="/do/back"><input type="hidden" name="name"'
                     f' value="{escape(entrant.name)}"><button>Bring back</button></form>')
        lines.append(f"<tr><td>{escape(entrant.name)}</td><td>{escape(entrant.club)}</td><td>{escape(entrant.team)}</td>"
                     f"<td>{escape(entrant.left) or 'plays'}</td><td>{forms}</td></tr>")
    add = ""
    if may:
        add = ('<form method="post" action="/do/add" class="line">'
               '<div><label for="name">Name</label><input id="name" name="name" required maxlength="32"></div>'
               '<div><label for="club">Club</label><input id="club" name="club" maxlength="32"></div>'
               '<div><label for="team">Team</label><input id="team" name="team" maxlength="32"></div>'
               "<button>Add the player</button></form>")
    return (f'{add}<div class="scroll"><table><thead><tr><th scope="col">Player</th><th scope="col">Club</th>'
            f'<th scope="col">Team</th><th scope="col">Plays</th><th scope="col">Change</th></tr></thead>'
            f"<tbody>{''.join(lines)}</tbody></table></div>")


def result_form(state: State, number: int, table: str) -> str:
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
                      f'<option value="">place</option>{options}</select></div>')
    last = ('<div><label for="reason">Reason</label><input id="reason" name="reason" required maxlength="200"></div>'
            if had else '<div><label for="letters">The twelve letters</label><input id="letters" name="letters"'
            ' maxlength="20" autocomplete="off" spellcheck="false"></div>')
    told = f"<p>It counts as: {escape(had.outcome.tell())}. A correction needs a reason.</p>" if had else ""
    return (f"<p>Round {number}, {escape(table)}, game {game}. First place is 1; equals get the same place.</p>"
            f'{told}<form method="post" action="/do/{"correct" if had else "result"}">'
            f'<input type="hidden" name="round" value="{number}">'
            f'<input type="hidden" name="table" value="{escape(table)}">'
            f'<input type="hidden" name="game" value="{game}"><div class="line">{"".join(fields)}</div>'
            '<p><label><input type="checkbox" name="draw" value="yes"> Nobody lost</label></p>'
            f"{last}<p><button>{'Correct the result' if had else 'Enter the result'}</button></p></form>")


def dispute(state: State, number: int, visitor: Visitor) -> str:
    """One dispute, the game itself, and what the arbiter says."""
    one = state.disputes[number]
    had = state.results.get(one.key) if one.key else None
    lines = [f"<p>{escape(one.reason)}</p>", f"<p>It came by: {escape(one.source)}.</p>"]
    if one.outcome is not None:
        lines.append(f"<p>It says: {escape(one.outcome.tell())}.</p>")
    if had is not None:
        lines.append(f"<p>What counts now: {escape(had.outcome.tell())}, sealed {escape(had.seal or 'nothing')}.</p>")
    for title, seal in (("this game", one.seal), ("the game that counts now", had.seal if had else "")):
        if seal in state.texts:
            lines.append(f'<p><a href="/game/{quote(seal)}/">Show {title}</a> {escape(seal)}</p>')
    if visitor.role == ARBITER:
        place = ""
        if one.key is None and state.round is not None:
            options = "".join(f"<option>{escape(table)}</option>" for table in state.round.groups)
            place = (f'<div><label for="table">It is the game of</label>'
                     f'<select id="table" name="table">{options}</select></div>'
                     f'<input type="hidden" name="round" value="{state.round.number}">')
        lines.append(f'<form method="post" action="/do/decide">'
                     f'<input type="hidden" name="dispute" value="{number}">{place}'
                     '<div><label for="reason">Reason</label><input id="reason" name="reason" required maxlength="200">'
                     '</div><p><button name="takes" value="yes">It counts</button> <button name="takes" value="no"'
                     ' class="quiet">Set it aside</button></p></form>')
    return "\n".join(lines)


def log(events: Sequence[Event], visitor: Visitor) -> str:
    """What was done, the newest first; the arbiter can take it back."""
    told = list(tell_log(events))
    lines = []
    for event, line in list(zip(events, told, strict=True))[: -LOG_LINES - 1 : -1]:
        undo = ""
        if visitor.role == ARBITER and event.kind != "opened" and not line.endswith("(undone)"):
            undo = (f'<form method="post" action="/do/undo" class="line"><input type="hidden" name="event"'
                    f' value="{event.number}"><button class="quiet" aria-label="Undo event {event.number}">'
                    "Undo</button></form>")
        lines.append(f'<tr><td>{escape(line)}</td><td>{undo}</td></tr>')
    return (f'<div class="scroll"><table class="log"><thead><tr><th scope="col">Event</th>'
            f'<th scope="col">Change</th></tr>'
            f"</thead><tbody>{''.join(lines)}</tbody></table></div>")
