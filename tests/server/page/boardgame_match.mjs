// A match of boardgame.io with two players and the tower, for test_recipes.py.

import { createRequire } from "node:module";
import { RockTowerGame, seatTower } from "../../../docs/recipes/boardgame.mjs";
import { look, strike } from "../../../docs/recipes/tower.mjs";

const require = createRequire(`${process.env.ROCKTOWER_NODE_MODULES}/`);
const { Client } = require("boardgame.io/client");
const { Local } = require("boardgame.io/multiplayer");

const { TOWER_URL: url, TOWER_ID: id, TOWER_TOKEN: token } = process.env;
const tower = { url, id, token };
const spec = { game: RockTowerGame, numPlayers: 3, matchID: "match", multiplayer: Local(), debug: false };
const seats = ["0", "1", "2"].map((playerID) => Client({ ...spec, playerID }));
for (const seat of seats) seat.start();
const [ann, ben, last] = seats;
seatTower(last, tower, "match");

const G = () => ann.getState().G;
async function until(condition) {
  for (let k = 0; k < 400 && !condition(); k++) await new Promise((done) => setTimeout(done, 25));
  if (!condition()) throw new Error(`not reached: ${condition}`);
}
const aim = { side: "left", height: 0.55, strength: "normal" };

console.error = () => {}; // boardgame.io reports the moves that are refused here on purpose
ben.moves.strike(aim); // it is not his turn
ann.moves.strike(aim);
ann.moves.fall(1, { n: 1, boulders: ["white", "white"] });
ben.moves.fall(1, { n: 1, boulders: ["white", "white"] });
const forged = G().hits.length;
await until(() => G().hits.length === 1);

await strike(tower, aim, { key: "elsewhere", expectedN: 1 });
ann.moves.stop();
await until(() => ann.getState().ctx.currentPlayer === "1");
ben.moves.strike(aim);
await until(() => G().notice);
const { notice } = G();
ben.moves.strike(aim);
await until(() => G().hits.length === 2);

// A second program in the tower's seat, as after a crash, is not asked again for what is answered;
// and for a blow that is open both ask with one key, so that one hit comes of it.
seatTower(last, tower, "match");
ben.moves.stop();
await until(() => ann.getState().ctx.currentPlayer === "0");
ann.moves.strike(aim);
await until(() => G().hits.length === 3);
await new Promise((done) => setTimeout(done, 500));
const again = (await look(tower)).n;
console.log(JSON.stringify({ hits: G().hits, notice, forged, again }));
process.exit(0);
