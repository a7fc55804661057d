// What this browser keeps, tower by tower. Storage may be forbidden; then nothing is kept.

export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // the page works without
  }
}

/** Keep a value if none is kept yet; return the one that was kept first. */
export function noteOnce(key, value) {
  if (remembered(key) === null) remember(key, value);
  return remembered(key) ?? value;
}
