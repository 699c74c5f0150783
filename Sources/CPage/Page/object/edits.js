// Changing objects: a dialog for a value by its type, each change one transaction.

import { h, ask, toast, number, counted } from "../shared/dom.js";
import { get, address, link, place } from "../shared/api.js";
import { doubleText, inner, json, short, tag } from "../shared/values.js";
import { change, classNamed, refresh } from "../page.js";

const quote = JSON.stringify;

/** What is typed for a value of a type, as JSON text. Throws a sentence where it cannot be one. */
function typed(property, text, isNull) {
  if (isNull) return "null";
  // As at the prompt, where these have quotes.
  const bare = text.trim().replace(/^"(.*)"$/, "$1");
  switch (property.type) {
    case "int": if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new Error("An integer is made of digits"); return text.trim().replace(/^\+/, "");
    case "bool": return text;
    case "float": case "double": {
      const special = bare.match(/^([+-]?)(nan|inf(inity)?)$/i);
      if (special) return quote({ [`$${property.type}`]: /n$/i.test(special[2]) ? "NaN" : `${special[1].replace("+", "")}Infinity` });
      if (!Number.isFinite(Number(bare)) || !bare) throw new Error("A number looks like 1.5 or 2e10");
      return doubleText(Number(bare));
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
    case "date": {
      const [, day, time = "00:00:00", zone = "Z"] = bare.match(/^(\S+-\d\d-\d\d)(?:[ T](\d\d:\d\d\S*?))?(Z|[+-]\d\d:?\d\d)?$/i) ?? [];
      if (!day) throw new Error(`A date looks like 2020-01-31 12:00:00, not ${quote(text)}`);
      return quote(`${day}T${time}${zone}`);
    }
    default: return quote(bare);
  }
}

const hintOf = (property) => ({ date: "UTC, such as 2024-05-31 12:00:00", object: `a primary key of ${property.target}, or @ and an object key`, data: "base64", mixed: "JSON", objectId: "24 hexadecimal digits", uuid: "36 characters" })[property.type];

const isEmbedded = (property) => property.type === "object" && classNamed(property.target)?.kind === "embedded";

/** What a value is edited as. Dates are edited in UTC, however they are shown. */
function startText(property, value) {
  if (value === undefined || value === null) return property.type === "bool" ? "false" : "";
  const text = json(value);
  if (property.type === "mixed") return text;
  switch (tag(value)) {
    case "$link": return `@${value.$link.key}`;
    case "$binary": return value.$binary.start;
    case "$date": if (typeof value.$date === "string") return value.$date.replace("T", " ").replace("Z", ""); break;
    case "$string": throw new Error("This text is not valid UTF-8: edit it in the shell");
  }
  return short(value);
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
  const startShown = input.value;
  const isNull = h("input", { type: "checkbox", checked: value === null });
  input.addEventListener("focus", () => input.select?.());
  // Who writes something does not want null.
  input.addEventListener("input", () => { isNull.checked = false; });
  // Text fields know one kind of line end.
  const returns = start.includes("\r\n") && !/[^\r]\n|\r(?!\n)/.test(start);
  return {
    element: h("div", { class: "field" }, h("label", { for: id }, `${label} `, h("span", { class: "soft" }, property.word.replace(/^\w+<(.*)>$/, property.collection ? "$1" : "$&")), hintOf(property) ? ` – ${hintOf(property)}` : ""),
      input, property.mayBeNull && h("label", { class: "null" }, isNull, "null"), property.type === "object" && choices(property, input, `${id}-choices`)),
    isChanged: () => value === undefined || input.value !== startShown || isNull.checked !== (value === null),
    read: () => {
      try {
        if (!returns && start.includes("\r") && property.type === "string" && !isNull.checked) throw new Error("This text has line ends that a browser would change: edit it in the shell");
        return typed(property, returns ? input.value.replaceAll("\n", "\r\n") : input.value, property.mayBeNull && isNull.checked);
      } catch (error) { throw new Error(`${label}: ${error.message}`); }
    },
  };
}

/** Objects that a link may lead to, by what has been typed of their primary keys. */
function choices(property, input, id) {
  const target = classNamed(property.target);
  const list = h("datalist", { id });
  const key = target?.properties.find((item) => item.name === target.primary_key);
  let timer;
  let asking = new AbortController();
  const offer = async () => {
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const text = input.value.trim();
    const where = !key || !text || text.startsWith("@") ? "" : key.type === "string" ? `${key.spelled} beginswith[c] ${quote(text)}` : key.type === "int" && /^-?\d+$/.test(text) ? `${key.spelled} == ${text}` : "";
    const found = await get(address("realms", place().realm, "rows", { class: property.target, where, count: 20 }), signal).catch(() => ({ rows: [] }));
    if (signal.aborted) return;
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

/**
 * Where a path leads to: the property that it ends in, without `collection` where it ends at an element, and whether null may be there.
 */
export function propertyAt(className, [name, ...steps]) {
  let property = ownProperty(className, name);
  for (const step of steps) {
    const { collection, type, target } = property ?? {};
    if (collection) property = { ...property, collection: null, mayBeNull: type === "object" ? collection === "dictionary" : property.mayBeNull };
    else if (type === "object") property = ownProperty(target, step);
  }
  return property;
}

function ownProperty(className, name) {
  const property = classNamed(className)?.properties.find((item) => item.name === name);
  return property && { ...property, mayBeNull: property.optional || ["mixed", "object"].includes(property.type) };
}

/** The properties that a form for a new object asks for. */
const askedProperties = (className) => classNamed(className).properties.map((item) => ownProperty(className, item.name)).filter((item) => !item.collection && !isEmbedded(item));

const elementsMax = 1 << 24;

/** All of the value at a path into an object, and the state of its property. */
export async function wholeValue({ realm, className, key }, path) {
  const { values, states } = await get(address("realms", realm, "objects", className, key, { property: path[0], count: elementsMax }));
  return { value: path.slice(1).reduce(inner, values[path[0]]), state: states?.[path[0]] };
}

/** The server refuses to change what is no longer in this state. */
const edit = (op, { className, key, state }, path, more = "") =>
  change(`{"op":"${op}","class":${quote(className)},"key":${quote(key)},"path":${quote(path)}${state ? `,"state":${quote(state)}` : ""}${more}}`);

/** `object`: { realm, className, key, title, state }; `state` is that of the property as it was shown, where that is known. */
export const editValue = (object, path) => attempt(async () => {
  const { realm, className, key, title } = object;
  const property = propertyAt(className, path);
  const showObject = () => { location.hash = link(realm, "object", className, key); };
  if (property.collection) return showObject();
  if (path.length === 1 && property.name === classNamed(className).primary_key) return toast("The primary key of an object cannot change");
  const { value, state } = await wholeValue(object, path);
  if (state !== (object.state ?? state)) {
    toast("This value has just been changed by another program");
    return refresh();
  }
  const set = (text) => edit("set", { ...object, state }, path, `,"value":${text}`);
  if (isEmbedded(property)) {
    if (value) return showObject();
    return ask(`New ${property.target}`, ...objectForm(property, set));
  }
  const where = path.join(" › ");
  const input = field(property, value, where);
  return ask(`Edit ${title} › ${where}`, input.element, "Save", () => input.isChanged() && set(input.read()));
});

/** Fields for a new object of a class: the element, the word for the button, and what the button does. */
function objectForm({ target }, send) {
  const inputs = askedProperties(target).map((item) => [item, field(item, item.mayBeNull ? null : undefined, item.name)]);
  return [h("div", {}, inputs.map(([, input]) => input.element)), "Save", () => send(`{${inputs.map(([item, input]) => `${quote(item.name)}:${input.read()}`)}}`)];
}

export async function insertElement(object, path, value) {
  const count = value[tag(value)].count;
  const property = propertyAt(object.className, [...path, count]);
  const isDictionary = tag(value) === "$dict";
  const name = h("input", { id: "entry-key", autocomplete: "off" });
  const send = (text) => edit("insert", object, [...path, isDictionary ? name.value : count], `,"value":${text}`);
  const keyField = isDictionary ? h("div", {}, h("label", { for: "entry-key" }, "Key"), name) : null;
  const title = `Add to ${object.title} › ${path.join(" › ")}`;
  if (isEmbedded(property)) {
    const [form, action, submit] = objectForm(property, send);
    return ask(title, h("div", {}, keyField, form), action, submit);
  }
  const input = field(property, undefined, "Value");
  return ask(title, h("div", {}, keyField, input.element), "Add", () => send(input.read()));
}

export const removeElement = (object, path) => attempt(() => edit("remove", object, path), "Removed");
export const moveElement = (object, path, to) => attempt(() => edit("move", object, path, `,"to":${to}`));
export const setNull = (object, path) => attempt(() => edit("set", object, path, ',"value":null'), "Set to null");

/** Asks first; `origins` is what links to the only one. Whether they are gone. */
export async function deleteObjects(className, keys, origins, title = `${counted(keys.length, "object", "objects")} of ${className}`) {
  const lost = origins?.map((origin) => h("li", {}, `${origin.class}.${origin.property}: ${counted(origin.count, "link", "links")}`));
  const content = !lost ? h("p", {}, "Whatever links to them loses its links; embedded objects in them are deleted too.")
    : lost.length ? h("div", {}, h("p", {}, "These lose their links to it:"), h("ul", {}, lost)) : h("p", {}, "Nothing links to it.");
  const done = await ask(`Delete ${title}?`, content, "Delete", () => change(...keys.map((key) => `{"op":"delete","class":${quote(className)},"key":${quote(key)}}`)));
  if (done) toast("Deleted");
  return done;
}

export async function createObject(realm, description) {
  const [form, , submit] = objectForm({ target: description.name }, (values) => change(`{"op":"create","class":${quote(description.name)},"values":${values}}`));
  const answer = await ask(`New ${description.name}`, form, "Create", submit);
  if (answer) location.hash = link(realm, "object", description.name, answer.objects[0].key);
}

export async function duplicateObject(realm, description, key) {
  const primaryKey = ownProperty(description.name, description.primary_key);
  const input = primaryKey && field(primaryKey, undefined, primaryKey.name);
  const send = (text) => change(`{"op":"duplicate","class":${quote(description.name)},"key":${quote(key)}${text ? `,"primary_key":${text}` : ""}}`);
  const answer = input ? await ask("Duplicate", input.element, "Duplicate", () => send(input.read())) : await attempt(() => send(), "Duplicated");
  if (answer) location.hash = link(realm, "object", description.name, answer.objects[0].key);
}
