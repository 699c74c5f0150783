// Values as people see them, and as JSON for the server. Each value tells its type: see Values/CellWriter.swift.

import { h, bytes, number } from "./dom.js";
import { get, address, link } from "./api.js";

const settings = { local: localStorage.getItem("dates") === "local" };
export const datesAreLocal = () => settings.local;
export function setLocalDates(on) {
  settings.local = on;
  localStorage.setItem("dates", on ? "local" : "utc");
}

/** The tag of a value that has one: "$int", "$link"… */
export const tag = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? Object.keys(value)[0] : null;

export const isCollection = (value) => ["$list", "$set", "$dict"].includes(tag(value));

function date(text) {
  if (typeof text !== "string") return `${short(text[0])} s ${text[1]} ns`;
  if (!settings.local) return text.replace("T", " ").replace("Z", "");
  const moment = new Date(text);
  if (isNaN(moment)) return text;
  const two = (n) => String(n).padStart(2, "0");
  const fraction = text.match(/\.\d+/)?.[0] ?? "";
  return `${String(moment.getFullYear()).padStart(4, "0")}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}${fraction}`;
}

/** When something happened, to the second. */
export const moment = (value) => date(value.$date).replace(/\.\d+$/, "") + (settings.local ? "" : " UTC");

/** What a value holds at one step of a path. */
export function inner(value, step) {
  const content = value?.[tag(value)];
  switch (tag(value)) {
    case "$embedded": return content.values?.[step];
    case "$dict": return content.items.find(([key]) => short(key) === step)?.[1];
    default: return content?.items?.[step];
  }
}

const digits = (value) => (Object.is(value, -0) ? "-0" : String(value));

/** A double as JSON text that nobody takes for an integer. */
export const doubleText = (value) => digits(value).replace(/^-?\d+$/, "$&.0");

/** A value in one line. */
export function short(value) {
  const content = value?.[tag(value)];
  switch (tag(value)) {
    case null: return digits(value);
    case "$date": return date(content);
    case "$text": return content.start + "…";
    case "$binary": return bytes(content.bytes);
    case "$link": return name(content);
    case "$embedded": return content.class ?? "";
    case "$list": case "$set": return `[${content.items.map(short).join(", ")}${content.count > content.items.length ? ", …" : ""}]`;
    case "$dict": return `{${content.items.map(([key, item]) => `${short(key)}: ${short(item)}`).join(", ")}${content.count > content.items.length ? ", …" : ""}}`;
    default: return digits(content);
  }
}

const keyMax = 120;

/** What an object is called: "Person 40" by its primary key, "Dog @17" by its object key. */
export function name(object) {
  const key = object.primary_key === undefined || object.primary_key === null ? `@${object.key}` : short(object.primary_key);
  return `${object.class ?? "unknown class"} ${key.length > keyMax ? `${key.slice(0, keyMax)}…` : key}`;
}

export function chip(realm, object) {
  if (object.missing || object.class === null) {
    return h("span", { class: "chip dead", title: "This object does not exist" }, name(object));
  }
  return h("a", {
    class: "chip", href: link(realm, "object", object.class, object.key),
    "data-class": object.class, "data-key": object.key,
  }, name(object));
}

/** A value as an element; in a grid all of it is on one line. */
export function cell(realm, value, isLine) {
  const content = value?.[tag(value)];
  switch (tag(value)) {
    case null:
      if (value === null) return h("span", { class: "v-null" }, "null");
      if (value === "") return h("span", { class: "v-empty", title: "empty text" }, "“”");
      if (typeof value === "string") return h("span", { class: "text" }, isLine ? onLine(value) : value);
      return h("span", { class: typeof value === "number" ? "v-number" : "" }, digits(value));
    case "$int": case "$float": case "$double": case "$decimal": return h("span", { class: "v-number" }, digits(content));
    case "$text": return h("span", { class: "text", title: bytes(content.bytes) }, (isLine ? onLine(content.start) : content.start) + "…");
    case "$date": return h("span", { class: "v-soft", title: settings.local ? "local time" : "UTC" }, date(content));
    case "$oid": case "$uuid": return h("span", { class: "v-mono" }, content);
    case "$binary": return h("span", { class: "v-soft" }, bytes(content.bytes));
    case "$string": return h("span", { class: "alarm", title: "This text is not valid UTF-8" }, "not UTF-8");
    case "$link": return chip(realm, content);
    case "$embedded": {
      const entries = Object.entries(content.values ?? {}).slice(0, 3);
      return h("span", { class: "v-soft" }, entries.map(([key, item]) => `${key}: ${short(item)}`).join(", ") || content.class);
    }
    case "$list": case "$set": case "$dict": {
      if (content.count === 0) return h("span", { class: "v-empty" }, tag(value) === "$dict" ? "{}" : "[]");
      const items = content.items.map((item) => tag(value) === "$dict"
        ? [h("span", { class: "v-soft" }, `${short(item[0])}: `), cell(realm, item[1], isLine)] : cell(realm, item, isLine));
      return h("span", {}, h("span", { class: "badge" }, number(content.count)),
        items.flatMap((item, index) => index ? [", ", item] : [item]), content.count > items.length ? " …" : "");
    }
    default: return h("span", {}, short(value));
  }
}

const onLine = (text) => text.replace(/\r?\n/g, "⏎").replace(/\t/g, "⇥");

// Images that are shown, by how they begin; whatever else a file says is bytes.
const images = [["image/png", /^iVBORw0KGgo/], ["image/jpeg", /^\/9j\//], ["image/gif", /^R0lGOD/], ["image/webp", /^UklGR.{6}XRUJQ/]];

const isWholeData = ({ start, bytes }) => start.replace(/=+$/, "").length === Math.ceil((bytes * 4) / 3);

/** A value in full, for the page of an object. `more(from)` fetches further elements, `edit` gives tools for a place. */
export function full(realm, value, { path = [], tools, more, whole } = {}) {
  const content = value?.[tag(value)];
  const options = (step, further) => ({ path: [...path, step], tools, ...further });
  switch (tag(value)) {
    case "$text": return h("span", {}, h("span", { class: "text" }, content.start), "… ",
      whole && h("button", { onclick: (event) => whole(event.target.parentNode) }, `show all ${bytes(content.bytes)}`));
    case "$binary": {
      const type = images.find(([, start]) => start.test(content.start))?.[0];
      const isWhole = isWholeData(content);
      return h("span", {}, h("span", { class: "v-soft" }, bytes(content.bytes), " "),
        !type && h("span", { class: "v-mono" }, content.start.slice(0, 64), content.start.length > 64 ? "…" : ""),
        type && isWhole && h("img", { class: "data", alt: `${type}, ${bytes(content.bytes)}`, src: `data:${type};base64,${content.start}` }),
        type && !isWhole && whole && h("button", { onclick: (event) => whole(event.target.parentNode) }, "show image"));
    }
    case "$embedded": return h("div", { class: "inner" }, h("small", { class: "soft" }, content.class),
      h("table", { class: "fields" }, h("tbody", {}, Object.entries(content.values ?? {}).map(([key, item]) =>
        h("tr", {}, h("th", { scope: "row" }, key),
          h("td", {}, tools?.([...path, key], item), full(realm, item, options(key))))))));
    case "$list": case "$set": case "$dict": {
      const isDictionary = tag(value) === "$dict";
      const list = h("ol", { class: "items" });
      const add = (items, from) => list.append(...items.map((item, index) => {
        const step = isDictionary ? short(item[0]) : from + index;
        const element = isDictionary ? item[1] : item;
        return h("li", {}, tools?.([...path, step], element, tag(value), content.count),
          h("span", { class: isDictionary ? "v-soft" : "place" }, isDictionary ? `${step}: ` : String(step)),
          full(realm, element, options(step)));
      }));
      add(content.items, content.from);
      const box = h("div", {}, h("span", { class: "badge" }, number(content.count)), list);
      let shown = content.from + content.items.length;
      if (more && shown < content.count) {
        const button = h("button", {
          onclick: async () => {
            const next = (await more(shown))?.[tag(value)];
            add(next.items, next.from);
            shown = next.from + next.items.length;
            button.textContent = `show more of ${number(content.count)}`;
            if (shown >= content.count || !next.items.length) button.remove();
          },
        }, `show more of ${number(content.count)}`);
        box.append(button);
      }
      return box;
    }
    default: return cell(realm, value);
  }
}

/** The JSON text that the server takes for a value it has sent; throws where it was cut. */
export function json(value) {
  const type = tag(value);
  const content = value?.[type];
  if (type === "$text" || type === "$binary" && !isWholeData(content) || content?.items && content.count !== content.items.length
    || type === "$embedded" && !content.values) throw new Error("This value is too large for this page");
  switch (type) {
    case null: return typeof value === "number" ? doubleText(value) : JSON.stringify(value);
    case "$int": return content;
    case "$double": return /\d/.test(content) ? content : JSON.stringify(value);
    case "$float": return `{"$float":${/\d/.test(content) ? content : JSON.stringify(content)}}`;
    case "$date": return typeof content === "string" ? JSON.stringify(value) : `{"$date":[${content.map((part) => part.$int ?? part)}]}`;
    case "$link": return `{"$link":{"class":${JSON.stringify(content.class)},"key":${content.key}}}`;
    case "$embedded": return `{${Object.entries(content.values).map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`)}}`;
    case "$list": return `[${content.items.map(json)}]`;
    case "$set": return `{"$set":[${content.items.map(json)}]}`;
    case "$dict": return `{"$dict":{${content.items.map(([key, item]) => `${entryKey(key)}:${json(item)}`)}}}`;
    case "$binary": return JSON.stringify({ $binary: content.start });
    default: return JSON.stringify(value);
  }
}

function entryKey(key) {
  if (typeof key !== "string") throw new Error("A key of this dictionary is too long, or not valid UTF-8");
  return JSON.stringify(key);
}

/** All of a value as a text to be copied. */
export const wholeText = (value) => (typeof value === "string" ? value : tag(value) === "$binary" ? JSON.parse(json(value)).$binary
  : isCollection(value) || ["$embedded", "$text"].includes(tag(value)) ? json(value) : short(value));

// A look at what a link leads to, where the pointer rests or the keyboard stands.
let previewTimer;
export function previews(realm) {
  const box = document.getElementById("preview");
  const hide = () => { clearTimeout(previewTimer); box.hidden = true; };
  document.onmouseover = document.onfocusin = (event) => {
    const chip = event.target.closest?.("a.chip");
    if (!chip) return hide();
    clearTimeout(previewTimer);
    previewTimer = setTimeout(async () => {
      try {
        const object = await get(address("realms", realm, "objects", chip.dataset.class, chip.dataset.key));
        const rows = Object.entries(object.values).slice(0, 8);
        box.replaceChildren(h("strong", {}, chip.textContent), h("dl", {}, rows.map(([key, value]) =>
          [h("dt", {}, key), h("dd", {}, cell(realm, value))])));
        const place = chip.getBoundingClientRect();
        box.hidden = !chip.isConnected;
        box.style.left = `${Math.max(8, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
        const below = place.bottom + 6;
        box.style.top = `${below + box.offsetHeight < innerHeight ? below : Math.max(8, place.top - box.offsetHeight - 6)}px`;
      } catch { hide(); }
    }, 350);
  };
  document.onmouseout = document.onfocusout = hide;
  addEventListener("hashchange", hide);
}
