// Fairness: the seed is fixed before the first strike, and everyone can check that afterwards.

import { byId } from "./dom.js";

/**
 * What the server committed to, read from a closed tower's log: the same lines that the program
 * hashes, so that no word of the server is taken for it.
 */
export async function commitmentOf(log) {
  const lines = log.trim().split("\n").map((line) => JSON.parse(line));
  const [header, close] = [lines[0], lines.at(-1)];
  const counts = Object.entries(header.boulders).sort(([a], [b]) => (a < b ? -1 : 1));
  const boulders = counts.map(([color, count]) => `"${color}": ${count}`).join(", ");
  return sha256(
    [
      "rocktower-commitment/1",
      header.tower,
      await sha256(header.model),
      `{${boulders}}`,
      `${close.seed}`,
      close.salt,
      header.reproducible ? "reproducible" : "salted",
    ].join("\n"),
  );
}

async function sha256(text) {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Check a closed tower's log against the commitment.
 *
 * @returns {Promise<"match" | "differ" | "unable">} unable: this page has no SubtleCrypto, which
 *   browsers give only to https and to localhost
 */
export async function check(log, commitment) {
  if (!globalThis.crypto?.subtle) return "unable";
  return (await commitmentOf(log)) === commitment ? "match" : "differ";
}

const VERDICTS = {
  match: "Checked in this browser: the revealed seed is the one that was fixed before the first strike.",
  differ: "This seed is not the one that was fixed before the first strike. Do not trust this tower.",
  unable:
    "This browser checks only on https pages and on localhost. The command below checks everything.",
};

/**
 * Fill the fairness card.
 *
 * @param {object} tower
 * @param {string} noted  the commitment that this browser saw first: the server cannot change it
 * @param {() => Promise<string>} readLog
 */
export async function showFairness(tower, noted, readLog) {
  const isOpen = tower.status !== "closed";
  const verdict = byId("verdict");
  byId("commitment").textContent = noted;
  byId("model-hash").textContent = `${tower.model_name} ${tower.model_hash}`;
  byId("foretold").hidden = !tower.reproducible;
  byId("sealed").hidden = !isOpen;
  byId("revealed").hidden = isOpen;
  byId("verify-command").textContent = `rocktower verify ${logName(tower)}`;
  if (isOpen || verdict.dataset.verdict) return;
  byId("seed").textContent = `${tower.seed}`;
  byId("salt").textContent = tower.salt;
  verdict.dataset.verdict = "checking";
  byId("fairness").open = true;
  try {
    verdict.dataset.verdict = await check(await readLog(), noted);
    verdict.textContent = VERDICTS[verdict.dataset.verdict];
  } finally {
    if (verdict.dataset.verdict === "checking") delete verdict.dataset.verdict; // not this time
  }
}

export const logName = ({ id }) => `rocktower-${id}.jsonl`;

/** Hand a text to the person as a file. */
export function saveAs(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
