// The tower as a seat in a game of boardgame.io (0.50).
//
// Moves there are synchronous and run on clients as well, so that none of them can call a server,
// and a hit that a player's client sends in could be made up. So the tower takes the last seat: a
// player asks for a blow, and only the tower's seat, whose credentials no player has, answers.

import { look, strike } from "./tower.mjs";

const INVALID_MOVE = "INVALID_MOVE"; // as `boardgame.io/core` exports it

const seatOf = (ctx) => String(ctx.numPlayers - 1);

export const RockTowerGame = {
  name: "rock-tower",
  setup: () => ({
    blows: 0, // so many blows have been asked for: it numbers them
    asked: null, // the blow that the tower has to answer
    n: 0, // events of the tower that the game knows of
    hits: [],
    notice: null,
  }),
  turn: {
    activePlayers: { all: null }, // everybody may move; each move says whose it is
    order: {
      first: () => 0,
      next: ({ ctx }) => (ctx.playOrderPos + 1) % (ctx.numPlayers - 1), // the tower has no turn
    },
  },
  moves: {
    // A player asks for a blow.
    strike: ({ G, ctx, playerID }, aim) => {
      if (playerID !== ctx.currentPlayer || G.asked) return INVALID_MOVE;
      G.blows += 1;
      G.asked = { aim, blow: G.blows };
      G.notice = null;
    },
    // The tower's seat says what fell out.
    fall: {
      move: ({ G, ctx, playerID }, blow, hit) => {
        if (playerID !== seatOf(ctx) || G.asked?.blow !== blow) return INVALID_MOVE;
        G.hits.push({ by: ctx.currentPlayer, boulders: hit.boulders });
        G.n = hit.n;
        G.asked = null;
      },
      client: false,
    },
    // The tower's seat says why nothing was struck; the player may ask again.
    decline: {
      move: ({ G, ctx, playerID }, blow, why, n) => {
        if (playerID !== seatOf(ctx) || G.asked?.blow !== blow) return INVALID_MOVE;
        G.notice = why;
        G.n = n;
        G.asked = null;
      },
      client: false,
    },
    stop: ({ G, ctx, playerID, events }) => {
      if (playerID !== ctx.currentPlayer || G.asked) return INVALID_MOVE;
      events.endTurn();
    },
  },
};

/**
 * Let a tower answer in a match. Run this on your own server, beside the game's.
 *
 * @param client  a started client of boardgame.io in the last seat, with that seat's credentials
 * @param tower  url, id and player token of the tower
 * @param {string} match  the match's ID: with the number of the blow it names each blow, so that a
 *   seat that is started anew asks for the same hit and not for another one
 */
export function seatTower(client, tower, match) {
  let answered = 0;
  return client.subscribe((state) => {
    const asked = state?.G.asked;
    if (!asked || asked.blow <= answered) return;
    answered = asked.blow;
    answer(asked, state.G.n);
  });

  async function answer({ blow, aim }, n) {
    const once = { key: `${match}-${blow}`, expectedN: n };
    for (;;) {
      try {
        client.moves.fall(blow, await strike(tower, aim, once));
        return;
      } catch (error) {
        if (error.code === "conflict") {
          // Somebody struck this tower outside of the game. Go on from what it holds now.
          client.moves.decline(blow, error.message, (await look(tower)).n);
          return;
        }
        if (error.status >= 400 && error.status < 500 && error.status !== 429) {
          client.moves.decline(blow, error.message, n); // such as: the tower is closed
          return;
        }
        // Nobody knows whether it was struck: only the same key may ask again.
        await new Promise((done) => setTimeout(done, 5000));
      }
    }
  }
}
