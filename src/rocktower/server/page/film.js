// A hit as a film, continuous in time: the swing of the hammer, the frames, the flight to the
// table, the settling. No clock, no drawing.

const SETTLE = 0.3; // s, from the last frame to the rest
const FLIGHT = 0.4; // s, of a boulder from the outlet to its place on the table
const SPARK = 0.09; // s
const LONGEST_SWING = 0.5; // s
const LAST_LOOK = 0.25; // s
const STILL = [0, 0, 0];

/** Habits of a hand, as shares of the way from the gentle blow to the firm one. */
export const HABITS = { gentle: 0, normal: 0.58, firm: 1 };

/** A strength as a share, 0 to 1, also if it is a habit's name. */
const share = (strength) => HABITS[strength] ?? strength;

/** The middle speed (m/s) of blows of a strength. */
const speedOf = (strength) => 0.5 + 2.5 * share(strength);

/** How far (mm) the hammer is swung back for a strength: farther for faster. */
export function woundUp(strength) {
  return 20 + 30 * speedOf(strength);
}

/**
 * @param {{frame_s: number, walls: number[][], poses: (number[]|null)[][]}} frames
 *   poses of the tower and of the boulders (0.1 mm, 0.1 mm, mrad) in each frame; the last is the
 *   rest
 * @param {{side: string, height: number, strength: number|string}} strike
 */
export class Film {
  constructor(frames, strike) {
    this.strike = strike;
    this.step = frames.frame_s;
    this.poses = frames.poses.slice(0, -1);
    this.walls = frames.walls.slice(0, -1);
    this.rest = frames.poses.at(-1);
    this.last = (this.poses.length - 1) * this.step;
    const speed = speedOf(strike.strength);
    const reach = woundUp(strike.strength) / 1000;
    this.swing = Math.min((0.5 * Math.PI * reach) / speed, LONGEST_SWING);
    this.start = -this.swing;
    this.out = this.rest
      .map((end, row) => {
        if (end !== null || this.poses[0][row] === null) return null;
        const k = frames.poses.findIndex((frame) => frame[row] === null);
        return { row, time: k * this.step };
      })
      .filter(Boolean)
      .sort((a, b) => a.time - b.time);
    const landed = this.out.map(({ time }) => time + FLIGHT);
    this.end = Math.max(this.last + SETTLE, ...landed) + LAST_LOOK;
  }

  /** Everything at a time (s after the blow). */
  at(time) {
    const flying = this.out
      .filter((boulder) => boulder.time <= time)
      .map(({ row, time: since }) => ({ row, share: Math.min((time - since) / FLIGHT, 1) }));
    return { ...this.moment(time), flying, blow: this.blow(time) };
  }

  moment(time) {
    const { poses, walls, step, last, rest } = this;
    if (time <= 0) return { tower: STILL, poses: poses[0] };
    if (time >= last) {
      const done = ease(Math.min((time - last) / SETTLE, 1));
      const end = poses.at(-1);
      // What jumped out of the top is not in the last frame: it appears where it came to lie.
      return {
        tower: between(walls.at(-1), STILL, done),
        poses: rest.map((pose, row) => pose && between(end[row] ?? pose, pose, done)),
      };
    }
    const k = Math.floor(time / step);
    const part = time / step - k;
    return {
      tower: between(walls[k], walls[k + 1], part),
      poses: poses[k].map((pose, row) => pose && this.onItsWay(k, row, part)),
    };
  }

  /** Between two frames; what leaves there goes on as it went. */
  onItsWay(k, row, part) {
    const here = this.poses[k][row];
    const after = this.poses[k + 1][row];
    if (after !== null) return between(here, after, part);
    const before = this.poses[Math.max(k - 1, 0)][row] ?? here;
    return here.map((value, i) => value + part * (value - before[i]));
  }

  /** The hammer: how far (mm) it is from the wall, and how fresh its spark is. */
  blow(time) {
    const reach = woundUp(this.strike.strength);
    const gap =
      time < 0
        ? reach * Math.sin(Math.min((0.5 * Math.PI * -time) / this.swing, 0.5 * Math.PI))
        : 0.6 * reach * (1 - Math.exp(-time / 0.12));
    return { ...this.strike, gap, spark: time < 0 ? 0 : Math.max(1 - time / SPARK, 0) };
  }
}

const ease = (part) => part * part * (3 - 2 * part);

const between = (from, to, part) => from.map((value, i) => value + part * (to[i] - value));
