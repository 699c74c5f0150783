// Changing objects: a dialog for a value by its type, each change one transaction.

import { h, ask, toast, number, counted } from "../shared/dom.js";
import { get, address, link, place } from "../shared/api.js";
import { json, short, tag } from "../shared/values.js";
import { change, classNamed } from "../page.js";

const quote = JSON.stringify;

/** What is typed for a value of a type, as JSON text. Throws a sentence where it cannot be one. */
function typed(property, text, isNull) {
  if (isNull) return "null";
  switch (property.type) {
    case "int": if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new Error("An integer is made of digits"); return text.trim().replace(/^\+/, "");
    case "bool": return text;
    case "float": case "double": {
      const special = text.trim().match(/^([+-]?)(nan|inf(inity)?)$/i);
      if (special) return quote({ [`$${property.type}`]: /n$/i.test(special[2]) ? "NaN" : `${special[1].replace("+", "")}Infinity` });
      if (!Number.isFinite(Number(text)) || !text.trim()) throw new Error("A number looks like 1.5 or 2e10");
      return quote(Number(text));
    }
    case "string": return quote(text);
    case "object": {
      const key = text.trim().match(/^@?(\d+)$/);
      if (text.trim().startsWith("@") && key) return `{"$link":{"class":${quote(property.target)},"key":${key[1]}}}`;
      const primaryKey = classNamed(property.target)?.properties.find((item) => item.name === classNamed(property.target).primary_key);
      if (!primaryKey) { if (!key) throw new Error("Name the object by its object key: @17"); return `{"$link":{"class":${quote(property.target)},"key":${key[1]}}}`; }
      return `{"$link":{"class":${quote(property.target)},"primary_key":${primaryKey.type === "int" ? typed(primaryKey, text) : quote(text)}}}`;
    }
    case "mixed": try { JSON.parse(text); return text; } catch { throw new Error("A mixed value is JSON: \"text\", 1, true, {\"$date\":\"…\"}"); }
    case "date": return quote(text.trim().replace(" ", "T") + (/[Zz]|[+-]\d\d:?\d\d$/.test(text.trim()) ? "" : text.includes(":") ? "Z" : "T00:00:00Z"));
    default: return quote(text.trim());
  }
}

const hintOf = (property) => ({ date: "UTC, such as 2024-05-31 12:00:00", object: `a primary key of ${property.target}, or @ and an object key`, data: "base64", mixed: "JSON", objectId: "24 hexadecimal digits", uuid: "36 characters" })[property.type];

const isEmbedded = (property) => property.type === "object" && classNamed(property.target)?.kind === "embedded";

/** What a value is edited as. Dates are edited in UTC, however they are shown. */
function startText(property, value) {
  if (value === undefined || value === null) return property.type === "bool" ? "false" : "";
  switch (tag(value)) {
    case "$link": return `@${value.$link.key}`;
    case "$binary": return value.$binary.start;
    case "$date": if (typeof value.$date === "string") return property.type === "mixed" ? json(value) : value.$date.replace("T", " ").replace("Z", ""); break;
  }
  return property.type === "mixed" ? json(value) : short(value);
}

/** The fields of a dialog for one value; `read()` gives its JSON text. */
function field(property, value, label) {
  const id = `field-${label}`;
  const start = startText(property, value);
  const input = property.type === "bool"
    ? h("select", { id }, h("option", { value: "false" }, "false"), h("option", { value: "true" }, "true"))
    : property.type === "string" || property.type === "mixed" ? h("textarea", { id, rows: Math.max(1, Math.min(8, start.split("\n").length)) })
      : h("input", { id, inputmode: property.type === "int" ? "numeric" : null, autocomplete: "off", list: property.type === "object" ? `${id}-choices` : null });
  input.value = start;
  const mayBeNull = property.optional || property.type === "mixed" || property.type === "object";
  const isNull = h("input", { type: "checkbox", checked: value === null });
  input.addEventListener("focus", () => input.select?.());
  // Who writes something does not want null.
  input.addEventListener("input", () => { isNull.checked = false; });
  // Text fields know one kind of line end.
  const returns = start.includes("\r\n") && !/[^\r]\n|\r(?!\n)/.test(start);
  return {
    element: h("div", { class: "field" }, h("label", { for: id }, `${label} `, h("span", { class: "soft" }, property.word.replace(/^\w+<(.*)>$/, property.collection ? "$1" : "$&")), hintOf(property) ? ` – ${hintOf(property)}` : ""),
      input, mayBeNull && h("label", { class: "null" }, isNull, "null"), property.type === "object" && choices(property, input, `${id}-choices`)),
    read: () => {
      if (!returns && start.includes("\r") && property.type === "string" && !isNull.checked) throw new Error("This text has line ends that a browser would change: edit it in the shell");
      return typed(property, returns ? input.value.replaceAll("\n", "\r\n") : input.value, mayBeNull && isNull.checked);
    },
  };
}

/** Objects that a link may lead to, by what has been typed of their primary keys. */
function choices(property, input, id) {
  const target = classNamed(property.target);
  const list = h("datalist", { id });
  const key = target?.properties.find((item) => item.name === target.primary_key);
  let timer;
  const offer = async () => {
    const text = input.value.trim();
    const where = !key || !text || text.startsWith("@") ? "" : key.type === "string" ? `${key.spelled} beginswith[c] ${quote(text)}` : key.type === "int" && /^-?\d+$/.test(text) ? `${key.spelled} == ${text}` : "";
    const found = await get(address("realms", place().realm, "rows", { class: property.target, where, count: 20 })).catch(() => ({ rows: [] }));
    const index = target?.properties.indexOf(key);
    list.replaceChildren(...found.rows.map((row) => h("option", { value: key && row.cells[index] !== null ? short(row.cells[index]) : `@${row.key}` },
      row.cells.filter((value, other) => other !== index && (typeof value === "string" || typeof value === "number")).slice(0, 3).join(", "))));
  };
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(offer, 150); });
  input.addEventListener("focus", offer, { once: true });
  return list;
}

async function attempt(action, done) {
  try {
    const answer = await action();
    if (done) toast(done);
    return answer;
  } catch (error) {
    toast(error.message);
    return null;
  }
}

const edit = (op, className, key, path, more = "") =>
  change(`{"op":"${op}","class":${quote(className)},"key":${quote(key)},"path":${quote(path)}${more}}`);

export async function editValue(realm, className, key, path, property, value) {
  if (property.collection && path.length === 1) { location.hash = link(realm, "object", className, key); return; }
  const description = classNamed(className);
  if (path.length === 1 && property.name === description.primary_key) return toast("The primary key of an object cannot change");
  if (isEmbedded(property)) {
    if (value) { location.hash = link(realm, "object", className, key); return; }
    return ask(`New ${property.target}`, ...embeddedForm(property, (text) => edit("set", className, key, path, `,"value":${text}`)));
  }
  if (["$text", "$binary"].includes(tag(value))) {
    const answer = await get(address("realms", realm, "objects", className, key, { property: path[0] }));
    if (path.length === 1) value = answer.values[path[0]];
    if (tag(value) === "$text" || tag(value) === "$binary" && value.$binary.start.length * 3 / 4 + 2 < value.$binary.bytes) return toast("This value is too large to be edited here");
  }
  const input = field(property, value, path.join(" › "));
  return ask(`Edit ${path.at(-1)}`, input.element, "Save", () => edit("set", className, key, path, `,"value":${input.read()}`));
}

function embeddedForm(property, send) {
  const inner = classNamed(property.target);
  const inputs = inner.properties.filter((item) => !item.collection && !isEmbedded(item)).map((item) => [item, field(item, item.optional || item.type === "object" ? null : undefined, item.name)]);
  return [h("div", {}, inputs.map(([, input]) => input.element)), "Save", () => send(`{${inputs.map(([item, input]) => `${quote(item.name)}:${input.read()}`)}}`)];
}

export async function insertElement(realm, className, key, path, property, value) {
  const count = value[tag(value)].count;
  const isDictionary = tag(value) === "$dict";
  const name = h("input", { id: "entry-key", autocomplete: "off" });
  const send = (text) => edit("insert", className, key, [...path, isDictionary ? name.value : count], `,"value":${text}`);
  const keyField = isDictionary ? h("div", {}, h("label", { for: "entry-key" }, "Key"), name) : null;
  if (isEmbedded(property)) {
    const [form, action, submit] = embeddedForm(property, send);
    return ask(`Add to ${path.at(-1)}`, h("div", {}, keyField, form), action, submit);
  }
  const input = field(property, undefined, "Value");
  return ask(`Add to ${path.at(-1)}`, h("div", {}, keyField, input.element), "Add", () => send(input.read()));
}

export const removeElement = (realm, className, key, path) => attempt(() => edit("remove", className, key, path), "Removed");
export const moveElement = (realm, className, key, path, to) => attempt(() => edit("move", className, key, path, `,"to":${to}`));

/** Asks first; `origins` is what links to the only one. Whether they are gone. */
export async function deleteObjects(className, keys, origins, title = keys.length === 1 ? `${className} @${keys[0]}` : `${counted(keys.length, "object", "objects")} of ${className}`) {
  const lost = origins?.map((origin) => h("li", {}, `${origin.class}.${origin.property}: ${counted(origin.count, "link", "links")}`));
  const content = !lost ? h("p", {}, "Whatever links to them loses its links; embedded objects in them are deleted too.")
    : lost.length ? h("div", {}, h("p", {}, "These lose their links to it:"), h("ul", {}, lost)) : h("p", {}, "Nothing links to it.");
  const done = await ask(`Delete ${title}?`, content, "Delete", () => change(...keys.map((key) => `{"op":"delete","class":${quote(className)},"key":${quote(key)}}`)));
  if (done) toast("Deleted");
  return done;
}

export async function createObject(realm, description) {
  const inputs = description.properties.filter((item) => !item.collection && !isEmbedded(item)).map((item) =>
    [item, field(item, item.optional || item.type === "object" || item.type === "mixed" ? null : undefined, item.name)]);
  const answer = await ask(`New ${description.name}`, h("div", {}, inputs.map(([, input]) => input.element)), "Create", () =>
    change(`{"op":"create","class":${quote(description.name)},"values":{${inputs.map(([item, input]) => `${quote(item.name)}:${input.read()}`)}}}`));
  if (answer) location.hash = link(realm, "object", description.name, answer.objects[0].key);
}

export async function duplicateObject(realm, description, key) {
  const primaryKey = description.properties.find((item) => item.name === description.primary_key);
  const input = primaryKey && field(primaryKey, undefined, primaryKey.name);
  const send = (text) => change(`{"op":"duplicate","class":${quote(description.name)},"key":${quote(key)}${text ? `,"primary_key":${text}` : ""}}`);
  const answer = input ? await ask("Duplicate", input.element, "Duplicate", () => send(input.read())) : await attempt(() => send(), "Duplicated");
  if (answer) location.hash = link(realm, "object", description.name, answer.objects[0].key);
}
