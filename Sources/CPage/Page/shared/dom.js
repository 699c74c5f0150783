// Elements and small helpers. Everything that comes from a file becomes a text node, never HTML, and what steers text in it
// (controls, marks and overrides of direction) is shown as an escape.

/** Attributes that people read. */
const readNames = ["title", "aria-label", "placeholder", "alt"];

/** h("a", { href, class, onclick }, "text", element…) */
export function h(tag, properties = {}, ...children) {
  const svg = ["svg", "g", "rect", "path", "text", "line", "title", "defs", "marker"].includes(tag);
  const element = svg
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (["value", "checked", "disabled", "hidden"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : readNames.includes(name) ? visible(value) : value);
  }
  fill(element, children);
  return element;
}

/** Puts children in the place of what is in an element; what is not there is left out. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : visible(child))));
}

const steering = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The text with escapes for what would turn or hide parts of it; lines and tabs stay. */
export const visible = (text) =>
  String(text).replace(steering, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

export const $ = (id) => document.getElementById(id);

const numbers = new Intl.NumberFormat("en");
export const counted = (n, one, many) => `${numbers.format(n)} ${n === 1 ? one : many}`;
export const number = (n) => numbers.format(n);

export function bytes(n) {
  if (n < 1024) return `${n} B`;
  const units = ["KB", "MB", "GB", "TB"];
  let index = -1;
  do { n /= 1024; index++; } while (n >= 1024 && index < 3);
  return `${n.toFixed(n < 10 ? 1 : 0)} ${units[index]}`;
}

/** Has the browser save a file. */
export function saveAs(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

let toastTimer;
export function toast(text) {
  const place = $("toast");
  place.textContent = visible(text);
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.hidden = true; }, 4000);
}

/** Gives a lost focus back to where it was, or to what leads to the same or has the same label now. */
function refocus(element) {
  // What is in a dialog that was closed keeps the focus until the next frame.
  const isShown = (other) => other.getClientRects().length > 0;
  if (document.activeElement !== document.body && isShown(document.activeElement) || element === document.body) return;
  const meaning = (other) => other.getAttribute("aria-label") ?? other.getAttribute("href");
  const next = isShown(element) ? element : [...document.querySelectorAll("[aria-label], a[href]")].find((other) => meaning(other) === meaning(element));
  (next ?? $("main")).focus({ preventScroll: true });
}

/** Puts children in the place of what is in an element, where the focus stays. */
export function replace(element, ...children) {
  const focused = document.activeElement;
  element.replaceChildren(...children);
  refocus(focused);
}

/** Shows a dialog and resolves when it closes: with what `submit` gives, or null. `submit` may throw: the message is shown. */
export function ask(title, content, action, submit) {
  const dialog = $("dialog");
  const opener = document.activeElement;
  return new Promise((resolve) => {
    let result = null;
    const wrong = h("p", { class: "alarm", role: "alert" });
    const form = h("form", {
      method: "dialog",
      onsubmit: async (event) => {
        event.preventDefault();
        try {
          result = submit ? await submit() : true;
          dialog.close();
        } catch (error) {
          wrong.textContent = visible(error.message + (error.hint ? ` (${error.hint})` : ""));
        }
      },
    }, content, wrong, h("menu", {},
      h("button", { type: "button", onclick: () => dialog.close() }, action ? "Cancel" : "Close"),
      action && h("button", { class: "main" }, action)));
    dialog.replaceChildren(h("h1", { id: "dialog-title" }, title), form);
    dialog.setAttribute("aria-labelledby", "dialog-title");
    dialog.onclose = () => { refocus(opener); resolve(result); };
    dialog.onkeydown = (event) => {
      if (event.key === "s" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
      event.stopPropagation();
    };
    dialog.showModal();
    form.querySelector("input, textarea, select")?.focus();
    dialog.scrollTop = 0;
  });
}
