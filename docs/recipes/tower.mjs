// Strike a tower of `rocktower serve` from JavaScript: node 18 or later, or a browser.

/** What the server refused (a status of HTTP) or that it could not be reached (status 0). */
export class TowerError extends Error {
  constructor(status, code, message) {
    super(message);
    Object.assign(this, { status, code });
  }
}

const WAITS_MS = [300, 1000, 3000]; // before the second, third and fourth try

/**
 * Strike.
 *
 * `key` names this one blow. If the answer gets lost, the same request is sent again with the same
 * key, and the server answers with the hit of the first: nobody strikes twice. `expectedN` is the
 * number of events that the striker knew of; if somebody else was faster, nothing is struck and a
 * TowerError with the code "conflict" says so.
 *
 * @param {{url: string, id: string, token: string}} tower
 * @param {{side: "left"|"right", height: number, strength: number|string}} aim
 * @param {{key: string, expectedN: number}} once
 * @returns {Promise<{n: number, boulders: string[], counts: object, total: number}>}
 */
export function strike(tower, aim, { key, expectedN }) {
  return request(tower, "/strikes", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": key },
    body: JSON.stringify({ ...aim, expected_n: expectedN }),
  });
}

/** What is in the tower, and `n`, the number of its last event. */
export function look(tower) {
  return request(tower, "", {});
}

async function request({ url, id, token }, path, options) {
  const headers = { ...options.headers, Authorization: `Bearer ${token}` };
  const address = `${url}/api/v1/towers/${encodeURIComponent(id)}${path}`;
  for (let attempt = 0; ; attempt++) {
    let error;
    try {
      const answer = await fetch(address, { ...options, headers });
      const content = await answer.json();
      if (answer.ok) return content;
      error = new TowerError(answer.status, content.error.code, content.error.message);
    } catch {
      error = new TowerError(0, "unreachable", "the tower's server cannot be reached");
    }
    // What the server has decided (4xx) stays so; a lost or broken answer is asked for again.
    const isDecided = error.status >= 400 && error.status < 500 && error.status !== 429;
    if (isDecided || attempt >= WAITS_MS.length) throw error;
    await new Promise((done) => setTimeout(done, WAITS_MS[attempt]));
  }
}
