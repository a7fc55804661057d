// The calls to the server. A call that may be repeated is repeated when the answer gets lost.

const PATIENCE = [400, 1200, 3000]; // ms before each further try
const PORTION = 1000; // events in one answer

/** What the server refused, or that it could not be reached (code "unreachable"). */
export class ApiError extends Error {
  constructor(code, message, status = 0) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const ROOT = new URL("api/v1/", document.baseURI);

/** Set up a tower; answers with it and its two tokens. */
export function createTower(wishes) {
  return call(new URL("towers", ROOT), { body: wishes });
}

/** The calls about one tower. */
export class Api {
  constructor(tower, token) {
    this.url = `${ROOT}towers/${encodeURIComponent(tower)}`;
    this.token = token;
  }

  tower = () => this.ask("");
  picture = () => this.ask("/picture");
  log = () => this.ask("/log", { isText: true });

  /** All events after number `after`, which the server gives in portions. */
  async events(after) {
    const found = [];
    for (let portion = null; portion === null || portion.length === PORTION; ) {
      ({ events: portion } = await this.ask(`/events?after=${found.at(-1)?.n ?? after}`));
      found.push(...portion);
    }
    return found;
  }

  /** Strike; `expected_n` makes it a strike of the tower that was looked at, and of no other. */
  strike = (strike, expectedN) => this.tell("/strikes", { ...strike, expected_n: expectedN });
  putBack = (counts) => this.tell("/boulders", counts);
  newTurn = () => this.tell("/turn", {});
  close = () => this.tell("/close", {});

  ask(path, options = {}) {
    return call(`${this.url}${path}`, { token: this.token, isRepeatable: true, ...options });
  }

  /** Ask for a change. The key makes a repeated request the same one: a lost answer costs nothing. */
  tell(path, body) {
    return this.ask(path, { body, key: newKey() });
  }
}

async function call(url, { token = null, body, key = null, isRepeatable = false, isText = false }) {
  const headers = { Accept: isText ? "*/*" : "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (key) headers["Idempotency-Key"] = key;
  const request = { headers, method: body ? "POST" : "GET", cache: "no-store" };
  if (body) {
    headers["Content-Type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  for (let attempt = 0; ; attempt++) {
    let answer = null;
    try {
      answer = await fetch(url, request);
      if (answer.ok) return isText ? await answer.text() : await answer.json();
    } catch {
      answer = null; // no connection, or it broke in the middle of the answer
    }
    const isPassing = answer === null || answer.status >= 500 || answer.status === 429;
    if (!isRepeatable || !isPassing || attempt >= PATIENCE.length) throw await errorOf(answer);
    const asked = 1000 * Number(answer?.headers.get("Retry-After") ?? 0);
    await new Promise((done) => setTimeout(done, Math.max(PATIENCE[attempt], asked || 0)));
  }
}

async function errorOf(answer) {
  if (answer === null) {
    return new ApiError("unreachable", "The server cannot be reached. Check your connection.");
  }
  try {
    const { error } = await answer.json();
    return new ApiError(error.code, error.message, answer.status);
  } catch {
    return new ApiError("unknown", `The server answered with status ${answer.status}.`, answer.status);
  }
}

/** 128 random bits; crypto.randomUUID is missing on plain http pages, this is not. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
