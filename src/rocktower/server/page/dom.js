// Small helpers for elements.

/** The element with an id; a page without it is broken. */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Make an element: properties, then children (text or elements). */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Text that only a screen reader gives. */
export const unseen = (text) => make("span", { className: "unseen" }, text);
