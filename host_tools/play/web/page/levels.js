// Virtual players as people choose them: by how strong they are, and behind *More* by their character.

import {say} from "./words.js";

export const MORE = "more";

/** [{name, title}] of a game's virtual players for a list in which `now` is chosen; `isOpen`: characters, too. */
export function botRows(game, now, isOpen) {
  const levels = row(game.levels || (game.players || []).map((name) => ({name, title: name})));
  const kinds = row(game.kinds || []);
  const shown = isOpen || kinds.some((one) => one.name === now);
  const rows = levels.concat(shown ? kinds : []);
  if (now.startsWith("bot:") && !rows.some((one) => one.name === now)) rows.push({name: now, title: say("bot", now.slice(4))});
  return shown || !kinds.length ? rows : rows.concat({name: MORE, title: say("moreKinds")});
}

function row(players) {
  return players.map(({name, title}) => ({name: `bot:${name}`, title: say("bot", title)}));
}
