// Samples hits of the Rock Tower from the table that `rocktower export-table` writes.
//
//   const emulator = new Emulator(table);            // the parsed emulator.json
//   let tower = emulator.filled([11, 11, 11, 11]);   // red, blue, yellow, white
//   let hit = emulator.strike(tower, Math.random);   // hit.out, hit.tower
//   tower = emulator.newTurn(hit.tower, hit.out);    // put back what came out
//
// Towers are plain values that JSON can hold: { layers, memory }. Nothing is changed in place.
// Whoever must not be able to foretell hits draws on a server, from a good source of numbers.

const FORMAT = "rocktower-emulator-table/1";

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

export class Emulator {
  constructor(table) {
    if (table.format !== FORMAT) {
      throw new Error(`format ${table.format}: this sampler reads ${FORMAT}`);
    }
    this.table = table;
  }

  // Boulders by color in an empty tower: the first turn of a filling begins.
  filled(inside) {
    return { layers: [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [...inside]], memory: 0 };
  }

  // Boulders by color are dropped in, and a turn begins.
  newTurn(tower, putBack) {
    const [oldest, older, old, fresh] = tower.layers;
    const deepest = oldest.map((count, color) => count + older[color]);
    return { layers: [deepest, [...old], [...fresh], [...putBack]], memory: 0 };
  }

  // Boulders by color that are inside.
  inside(tower) {
    return [0, 1, 2, 3].map((color) => sum(tower.layers.map((l) => l[color])));
  }

  // The chances of 0, 1, ... 19 and of 20 or more boulders, out of table.whole.
  chances(tower) {
    const left = sum(this.inside(tower));
    const share = sum(tower.layers[3]) / Math.max(left, 1);
    const group = this.table.fresh_bounds.filter((bound) => share > bound).length;
    return this.table.chances[tower.memory][group][left];
  }

  // Strike once. `random` gives numbers from 0 to 1, without 1.
  strike(tower, random) {
    const { whole, order, next_memory: next } = this.table;
    const total = this.drawTotal(tower, random);
    const layers = tower.layers.map((layer) => [...layer]);
    const out = [0, 0, 0, 0];
    for (let taken = 0; taken < total; taken += 1) {
      const sizes = layers.map(sum);
      const depth = Math.floor(random() * whole);
      // From the top: does it come from below this layer?
      let layer = 3;
      let height = sum(sizes);
      let bound = whole;
      while (layer > 0) {
        const deeper = height - sizes[layer];
        const chance = order[layer - 1][Math.min(taken, 1)][height][deeper];
        bound = Math.floor((bound * chance) / whole);
        if (depth >= bound) break;
        layer -= 1;
        height = deeper;
      }
      let picked = Math.floor(random() * sizes[layer]);
      let color = 0;
      while (picked >= layers[layer][color]) {
        picked -= layers[layer][color];
        color += 1;
      }
      layers[layer][color] -= 1;
      out[color] += 1;
    }
    return { out, tower: { layers, memory: next[tower.memory][total] } };
  }

  drawTotal(tower, random) {
    const chances = this.chances(tower);
    let picked = Math.floor(random() * this.table.whole);
    let total = 0;
    while (picked >= chances[total]) {
      picked -= chances[total];
      total += 1;
    }
    if (total < 20) return total;
    const more = sum(this.inside(tower)) - 20;
    const weights = Array.from({ length: more + 1 }, (_, k) => this.table.tail ** k);
    let rest = random() * sum(weights);
    while (total < 20 + more && rest >= weights[total - 20]) {
      rest -= weights[total - 20];
      total += 1;
    }
    return total;
  }
}
