// A hit as a film, continuous in time: the swing of the hammer, the frames, the flight to the
// table, the settling. No clock, no drawing.

const SETTLE = 0.3; // s, from the last frame to the rest
const FLIGHT = 0.4; // s, of a boulder from the outlet to its place on the table
const SPARK = 0.09; // s
const LONGEST_SWING = 0.5; // s
const LAST_LOOK = 0.25; // s

/** About the speed (m/s) of a strength; only the pace of the pictured hammer depends on it. */
const speedOf = (strength) => 0.8 + 3.2 * strength;

/** How far (mm) the pictured hammer is swung back for a strength, 0 to 1. */
export function woundUp(strength) {
  return 20 + 30 * speedOf(strength);
}

/**
 * @param {{frame_s: number, walls: number[][], poses: (number[]|null)[][]}} frames
 * @param {{side: string, height: number, strength: number}} strike
 * @param {(number[]|null)[]} rest  poses at the end, 0.1 mm and mrad
 */
export class Film {
  constructor(frames, strike, rest) {
    this.frames = frames;
    this.strike = strike;
    this.rest = rest;
    const { poses, frame_s: step } = frames;
    this.last = (poses.length - 1) * step;
    this.swing = Math.min(
      (0.5 * Math.PI * woundUp(strike.strength)) / 1000 / speedOf(strike.strength),
      LONGEST_SWING,
    );
    this.start = -this.swing;
    this.out = poses[0]
      .map((pose, row) => {
        const k = poses.findIndex((frame) => frame[row] === null);
        return pose !== null && k > 0 && rest[row] === null ? { row, time: k * step } : null;
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
    const { poses, walls, frame_s: step } = this.frames;
    if (time <= 0) return { tower: [0, 0], poses: poses[0] };
    if (time >= this.last) {
      const share = ease(Math.min((time - this.last) / SETTLE, 1));
      const end = poses.at(-1);
      return {
        tower: between(walls.at(-1), [0, 0], share),
        poses: this.rest.map((pose, row) => pose && between(end[row] ?? pose, pose, share)),
      };
    }
    const k = Math.floor(time / step);
    const share = time / step - k;
    return {
      tower: between(walls[k], walls[k + 1], share),
      poses: poses[k].map((pose, row) => pose && this.onItsWay(k, row, share)),
    };
  }

  /** Between two frames; what leaves there goes on as it went. */
  onItsWay(k, row, share) {
    const { poses } = this.frames;
    const here = poses[k][row];
    const after = poses[k + 1][row];
    if (after !== null) return between(here, after, share);
    const before = poses[Math.max(k - 1, 0)][row] ?? here;
    return here.map((value, i) => value + share * (value - before[i]));
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

const ease = (share) => share * share * (3 - 2 * share);

const between = (from, to, share) => from.map((value, i) => value + share * (to[i] - value));
