// The big clock and the score, for a television across the room.

import {keyed, make, set, write} from "./make.js";
import {clockNow, model, score, seatRows, watch, words} from "./onlook.js";

function draw() {
  const {say} = words;
  write(document.getElementById("head"), model.table.title || "Cardtable");
  write(document.getElementById("time"), clockNow());
  write(document.getElementById("since"), model.table.seats.length ? say("sinceBegun") : "");
  const rows = seatRows();
  const made = keyed(document.getElementById("seats"), rows, (row) => row.seat, () => make("li", {}, make("b"), make("span"), make("em")));
  rows.forEach((row, index) => {
    const kept = score.rows[row.name] || {wins: 0, losses: 0};
    set(made[index], "data-turn", row.turn ? "yes" : null);
    write(made[index].children[0], row.name);
    write(made[index].children[1], row.count ? say("cardsInHand", row.count) : "");
    write(made[index].children[2], [kept.wins && `${say("wins")} ${kept.wins}`, kept.losses && `${say("losses")} ${kept.losses}`].filter(Boolean).join(", "));
  });
  write(document.getElementById("verdict"), model.table.result || (score.games ? `${say("games")}: ${score.games}` : ""));
}

watch(draw);
