// Fairness: the seed is fixed before the first strike, and everyone can check that afterwards.

import { byId } from "./dom.js";

/** SHA-256 of what the server committed to, as the program computes it too. */
export async function commitmentOf(seed, salt) {
  const bytes = new TextEncoder().encode(`${seed}:${salt}`);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Check a seed and a salt against a commitment.
 *
 * @returns {Promise<"match" | "differ" | "unable">} unable: this page has no SubtleCrypto, which
 *   browsers give only to https and to localhost
 */
export async function check({ seed, salt, commitment }) {
  if (!globalThis.crypto?.subtle) return "unable";
  return (await commitmentOf(seed, salt)) === commitment ? "match" : "differ";
}

const VERDICTS = {
  match: "Checked in this browser: the revealed seed is the one that was fixed before the first strike.",
  differ: "This seed is not the one that was fixed before the first strike. Do not trust this tower.",
  unable:
    "This browser checks only on https pages and on localhost. The command below checks everything.",
};

/** Fill the fairness card. */
export async function showFairness(tower) {
  byId("commitment").textContent = tower.commitment;
  byId("model-hash").textContent = tower.model_hash;
  const isOpen = tower.status !== "closed";
  byId("sealed").hidden = !isOpen;
  byId("revealed").hidden = isOpen;
  byId("verify-command").textContent = `rocktower verify ${logName(tower)}`;
  if (isOpen) return;
  byId("seed").textContent = `${tower.seed}`;
  byId("salt").textContent = tower.salt;
  const verdict = await check(tower);
  byId("verdict").textContent = VERDICTS[verdict];
  byId("verdict").dataset.verdict = verdict;
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
