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
const refusals = { 413: "this is more than the server takes at once: 24 MB", 503: "the server has too much to do: try again" };

async function answer(response) {
  const text = await response.text();
  // Numbers that JavaScript cannot hold stay texts.
  const exact = (name, value, context) =>
    typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source)
      ? { $int: context.source } : value;
  let document = null;
  try { document = text ? JSON.parse(text, exact) : null; } catch { /* a sentence, not JSON */ }
  if (!response.ok) throw new Problem(response.status, document?.error ?? { message: refusals[response.status] ?? text.trim() });
  return document;
}

/** What was answered as JSON with lines and indents, numbers as they were. */
export const pretty = (document) => JSON.stringify(document, (name, value) => (typeof value?.$int === "string" ? JSON.rawJSON?.(value.$int) ?? value : value), 2);

export async function get(url, signal) { return answer(await fetch(url, { signal })); }

/** `body`: JSON text, so that integers of any size stay what they are. */
export async function post(url, body, signal) {
  return answer(await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body, signal }));
}

/** What is too large to be looked at here. */
export async function download(url, signal) {
  const response = await fetch(url, { signal });
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
