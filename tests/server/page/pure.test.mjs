// The pure parts of the page, under node: `node --test`.

import assert from "node:assert/strict";
import test from "node:test";

import { Film, woundUp } from "../../../src/rocktower/server/page/film.js";
import { linkTo, readFragment, writeFragment } from "../../../src/rocktower/server/page/links.js";
import {
  against, begin, follow, sentence, warnings, words,
} from "../../../src/rocktower/server/page/turn.js";

const counts = (red = 0, blue = 0, yellow = 0, white = 0) => ({ red, blue, yellow, white });
const tower = (inside, outside) => ({ inside, outside });
const hit = (n, boulders, inside) => ({
  n,
  type: "hit",
  boulders,
  counts: boulders.reduce((sum, color) => ({ ...sum, [color]: sum[color] + 1 }), counts()),
  total: boulders.length,
  inside,
  strike: { side: "left", height: 0.5, strength: "normal" },
});

test("a story is the same whether its events come at once or one by one", () => {
  const events = [
    hit(1, ["red", "red", "white"], counts(9, 11, 11, 10)),
    hit(2, [], counts(9, 11, 11, 10)),
    { n: 3, type: "drop", counts: counts(1), inside: counts(10, 11, 11, 10) },
    { n: 4, type: "turn" },
    hit(5, ["blue"], counts(10, 10, 11, 10)),
  ];
  const now = tower(counts(10, 10, 11, 10), counts(1, 1, 0, 1));
  const whole = begin(now, events);
  const start = begin(tower(counts(11, 11, 11, 11), counts()), []);
  assert.deepEqual(events.reduce(follow, start), whole);
  assert.deepEqual(whole.outside, now.outside);
  assert.equal(whole.turn, 2);
  assert.deepEqual(whole.counts, counts(0, 1));
  assert.deepEqual(whole.table, [["blue"]]);
});

test("an event that is known changes nothing", () => {
  const event = hit(1, ["red"], counts(0, 1));
  const once = follow(begin(tower(counts(1, 1), counts()), []), event);
  assert.equal(follow(once, event), once);
});

test("what is put back within a turn is gone from the table and stays in the counts", () => {
  const start = begin(tower(counts(3), counts()), []);
  const struck = follow(start, hit(1, ["red", "red"], counts(1)));
  const back = follow(struck, { n: 2, type: "drop", counts: counts(1), inside: counts(2) });
  assert.deepEqual(back.table, [["red"]]);
  assert.deepEqual(back.counts, counts(2));
});

test("boulders that were never filled in are outside from the start", () => {
  const story = begin(tower(counts(2), counts(9, 11)), [hit(1, ["red"], counts(2))]);
  assert.deepEqual(story.outside, counts(9, 11));
  assert.deepEqual(story.table, [["red"]]);
});

test("the limit counts hits and three colors; white is free", () => {
  const story = { hits: [1, 2], counts: counts(2, 3, 1, 9) };
  assert.deepEqual(against(story, 2), {
    hits: "reached",
    colors: { red: "reached", blue: "over", yellow: "free", white: "free" },
  });
  assert.deepEqual(against(story, 0).colors, {
    red: "free", blue: "free", yellow: "free", white: "free",
  });
});

test("a warning is given once, when a limit is reached and when it is passed", () => {
  const at = (red, hits) => against({ hits: Array(hits).fill(0), counts: counts(red) }, 2);
  assert.deepEqual(warnings(at(1, 1), at(2, 2), 2), [
    "Color limit reached: 2 red.",
    "Hit limit reached: 2.",
  ]);
  assert.deepEqual(warnings(at(2, 2), at(2, 2), 2), []);
  assert.deepEqual(warnings(at(2, 2), at(3, 2), 2), ["More red boulders than the limit of 2."]);
});

test("hits and counts in words", () => {
  assert.equal(words(counts(2, 0, 0, 1)), "2 red, 1 white");
  assert.equal(words(counts()), "none");
  assert.match(sentence(hit(7, [], counts()), 3), /^Hit 3 .* an empty hit\.$/);
  assert.match(sentence(hit(7, ["blue"], counts()), 1), /1 boulder: blue\.$/);
});

test("keys stand behind the #, never in the path or the query", () => {
  const keys = { tower: "a b", play: "p&=", watch: "w" };
  assert.deepEqual(readFragment(writeFragment(keys)), keys);
  const link = new URL(linkTo(keys, { origin: "https://x.org", pathname: "/t/" }));
  assert.equal(`${link.origin}${link.pathname}${link.search}`, "https://x.org/t/");
  assert.equal(readFragment("#tower=a"), null);
  assert.equal(readFragment(""), null);
});

// Two boulders: the first leaves in the third frame, the second stays and settles.
const frames = {
  frame_s: 0.1,
  walls: [[0, 0, 0], [10, 2, 4], [0, 0, 0], [0, 0, 0]],
  poses: [
    [[0, 100, 0], [0, 300, 0]],
    [[0, 60, 0], [0, 280, 0]],
    [null, [0, 270, 0]],
    [null, [0, 260, 0]],
  ],
};
const strike = { side: "left", height: 0.5, strength: "normal" };

test("a film goes through its frames and ends at rest", () => {
  const film = new Film(frames, strike);
  assert.deepEqual(film.out, [{ row: 0, time: 0.2 }]);
  assert.deepEqual(film.at(film.start).poses, frames.poses[0]);
  const middle = film.at(0.05); // halfway between two frames
  assert.deepEqual(middle.poses[1], [0, 290, 0]);
  assert.deepEqual(middle.tower, [5, 1, 2]);
  assert.deepEqual(film.at(0.15).poses[0].map(Math.round), [0, 40, 0], "what leaves goes on as it went");
  const end = film.at(film.end);
  assert.deepEqual(end.poses, frames.poses.at(-1));
  assert.deepEqual(end.tower, [0, 0, 0]);
  assert.deepEqual(end.flying, [{ row: 0, share: 1 }]);
});

test("the hammer swings from its full reach and lands at time 0", () => {
  const film = new Film(frames, strike);
  assert.ok(Math.abs(film.at(film.start).blow.gap - woundUp("normal")) < 1e-9);
  assert.ok(film.at(-1e-6).blow.gap < 0.01);
  assert.equal(film.at(0).blow.spark, 1);
  assert.ok(woundUp("firm") > woundUp(0.5) && woundUp(0.5) > woundUp("gentle"));
});
