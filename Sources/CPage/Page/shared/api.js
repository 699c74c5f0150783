// What the page asks of the server, and where in the page somebody is.

export class Problem extends Error {
  constructor(status, error) {
    super(error?.message ?? `the server answered ${status}`);
    Object.assign(this, { status, kind: error?.kind, hint: error?.hint, line: error?.line, column: error?.column, length: error?.length });
  }
}

const parameters = (values) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "") query.set(name, value);
  }
  const text = query.toString();
  return text ? `?${text}` : "";
};

/** The address of something in the API: address("realms", 0, "rows", { class: "Person" }) */
export function address(...parts) {
  const query = typeof parts.at(-1) === "object" ? parts.pop() : {};
  return "/api/v1/" + parts.map(encodeURIComponent).join("/") + parameters(query);
}

/** What is refused before it is read comes without words. */
const refusals = { 400: "the server does not understand this request; a condition or statement may have 300 KB", 413: "this is more than the server takes at once: 24 MB", 503: "the server has too much to do: try again" };

/** What to do when the server is gone. */
export const stopped = "the server has stopped: start 'realm-cli serve' again, and open the address that it prints";

async function ask(url, options) {
  try {
    return await fetch(url, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { message: stopped });
  }
}

/** Numbers that JavaScript would write otherwise stay texts: integers that it cannot hold, 1.0, -0.0. */
function exact(name, value, context) {
  if (typeof value !== "number" || context === undefined || String(value) === context.source) return value;
  if (name === "$float") return context.source;
  return { [/^-?\d+$/.test(context.source) ? "$int" : "$double"]: context.source };
}

async function answer(response) {
  const text = await response.text();
  let document = null;
  try { document = text ? JSON.parse(text, exact) : null; } catch { /* a sentence, not JSON */ }
  if (!response.ok) throw new Problem(response.status, document?.error ?? { message: refusals[response.status] ?? text.trim() });
  return document;
}

/** A JSON text with lines and indents, everything else as it was. */
export function pretty(text) {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  return text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\[\s*\]|\{\s*\}|[[{}\],:]|\s+/g, (token) => {
    switch (token) {
      case "[": case "{": depth++; return token + line();
      case "]": case "}": depth--; return line() + token;
      case ",": return token + line();
      case ":": return ": ";
      default: return token.trim();
    }
  });
}

export async function get(url, signal) { return answer(await ask(url, { signal })); }

/** An answer as it came. */
export async function getText(url, signal) {
  const response = await ask(url, { signal });
  return response.ok ? response.text() : answer(response);
}

/** `body`: JSON text, so that integers of any size stay what they are. */
export async function post(url, body, signal) {
  return answer(await ask(url, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal }));
}

/** What is too large to be looked at here. */
export async function download(url, signal) {
  const response = await ask(url, { signal });
  return response.ok ? response.blob() : answer(response);
}

/** The address of a screen: "#/0/rows/Person?where=…" */
export function link(...parts) {
  const query = typeof parts.at(-1) === "object" ? parts.pop() : {};
  return "#/" + parts.map(encodeURIComponent).join("/") + parameters(query);
}

/** An escape that means nothing stays as it is. */
const decoded = (part) => { try { return decodeURIComponent(part); } catch { return part; } };

export function place() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decoded);
  return { realm: parts.length ? Number(parts[0]) : null, screen: parts[1], rest: parts.slice(2), query: Object.fromEntries(new URLSearchParams(query)) };
}
