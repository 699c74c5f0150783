// One object: all it holds, what links to it, and with -w ways to change it.

import { h, toast, number, replace } from "../shared/dom.js";
import { get, getText, address, link, pretty } from "../shared/api.js";
import { chip, full, name, isCollection, tag } from "../shared/values.js";
import { classNamed, isKnownSchema } from "../page.js";
import { propertyAt, editValue, insertElement, removeElement, moveElement, setNull, deleteObjects, duplicateObject } from "./edits.js";

export async function open(main, here, state) {
  const { realm, rest: [className, key], signal } = here;
  const description = classNamed(className);
  if (!description) throw new Error(`There is no class '${className}'`);
  const writable = state.realms[realm].writable && description.kind !== "embedded";
  const url = address("realms", realm, "objects", className, key);
  const box = h("div", { class: "page" });
  main.replaceChildren(box);
  let shown = null;
  let form = "values";

  // The way that somebody came, from object to object.
  const trail = (JSON.parse(sessionStorage.getItem("trail") ?? "[]")).filter((step) => step.realm === realm);
  const known = trail.findIndex((step) => step.class === className && step.key === key);
  if (known >= 0) trail.length = known;

  async function fill() {
    const [object, origins] = await Promise.all([get(url, signal), get(address("realms", realm, "links", className, key), signal)]);
    const primaryKey = description.primary_key ? object.values[description.primary_key] : undefined;
    if (!isKnownSchema(description.properties.every((item) => item.name in object.values) && Object.keys(object.values).length === description.properties.length, object.version)) return;
    const title = name({ class: className, key, primary_key: primaryKey });
    sessionStorage.setItem("trail", JSON.stringify([...trail, { realm, class: className, key, title }].slice(-20)));
    const before = shown;
    shown = object;
    const content = form === "json" ? h("pre", { tabindex: 0, "aria-label": "The object as JSON" }, pretty(await getText(`${url}?form=json`, signal))) : fields(object, before, title);
    replace(box,
      h("nav", { class: "crumbs", "aria-label": "Way here" }, h("a", { href: link(realm, "rows", className) }, className),
        trail.slice(-5).map((step) => [" › ", h("a", { href: link(realm, "object", step.class, step.key) }, step.title)]), " › ", h("span", { "aria-current": "page" }, title)),
      h("div", { class: "title" }, h("h1", { dir: "auto" }, title, " ", h("small", { class: "soft" }, primaryKey === undefined || primaryKey === null ? "" : `@${key}`)),
        h("button", { "aria-pressed": String(form === "json"), onclick: () => { form = form === "json" ? "values" : "json"; fill(); } }, "JSON"),
        writable && h("button", { onclick: () => duplicateObject(realm, description, key) }, "Duplicate"),
        writable && h("button", { class: "alarm", onclick: async () => { if (await deleteObjects(className, [key], origins, title)) location.hash = link(realm, "rows", className); } }, "Delete")),
      content, h("h2", {}, "Linked from"), linkedFrom(origins));
  }

  function fields(object, before, title) {
    return h("table", { class: "fields" }, h("tbody", {}, description.properties.map((property) => {
      const value = object.values[property.name];
      const isChanged = before && JSON.stringify(before.values[property.name]) !== JSON.stringify(value);
      const part = (from) => get(`${url}?property=${encodeURIComponent(property.name)}&from=${from}`, signal).then((answer) => answer.values[property.name]);
      const toolsAt = writable && tools({ realm, className, key, title, state: object.states[property.name] });
      return h("tr", { class: isChanged && "changed-field" }, h("th", { scope: "row", dir: "auto" }, property.name, h("small", {}, property.word)),
        h("td", {}, toolsAt && toolsAt([property.name], value), full(realm, value, {
          path: [property.name], tools: toolsAt || null, more: part,
          whole: async (place) => place.replaceChildren(full(realm, await part(0))),
        })));
    })));
  }

  /** What can be done with the value at a path; `collection` is what it is an element of, if any. */
  function tools(object) {
    return (path, value, collection, count) => {
      const property = propertyAt(className, path);
      if (!property || path.length === 1 && property.name === description.primary_key) return null;
      const button = (title, label, onclick) => h("button", { class: "plain", title, "aria-label": title, onclick }, label);
      const where = path.join(" › ");
      const buttons = [];
      if (isCollection(value) && property.collection) buttons.push(button(`Add to ${where}`, "+", () => insertElement(object, path, value)));
      else if (tag(value) !== "$embedded") buttons.push(button(`Edit ${where}`, "Edit", () => editValue(object, path)));
      else if (property.mayBeNull) buttons.push(button(`Set ${where} to null`, "null", () => setNull(object, path)));
      if (collection) {
        if (collection === "$list" && path.at(-1) > 0) buttons.push(button(`Move ${where} up`, "↑", () => moveElement(object, path, path.at(-1) - 1)));
        if (collection === "$list" && path.at(-1) < count - 1) buttons.push(button(`Move ${where} down`, "↓", () => moveElement(object, path, path.at(-1) + 1)));
        buttons.push(button(`Remove ${where}`, "×", () => removeElement(object, path)));
      }
      return h("span", { class: "tools" }, buttons);
    };
  }

  function linkedFrom(origins) {
    if (!origins.length) return h("p", { class: "soft" }, "Nothing links to it.");
    return h("dl", {}, origins.flatMap((origin) => [h("dt", {}, `${origin.class}.${origin.property} `, h("span", { class: "badge" }, number(origin.count))),
      h("dd", {}, origin.objects.flatMap((item) => [chip(realm, item.$link ?? item.$embedded), " "]), origin.count > origin.objects.length && more(origin))]));
  }

  function more(origin) {
    let shown = origin.objects.length;
    const button = h("button", {
      onclick: async () => {
        const next = (await get(address("realms", realm, "links", className, key, { from: shown }), signal)).find((item) => item.class === origin.class && item.property === origin.property);
        button.before(...(next?.objects ?? []).flatMap((item) => [chip(realm, item.$link ?? item.$embedded), " "]));
        shown += next?.objects.length ?? 0;
        if (!next?.objects.length || shown >= next.count) button.remove();
      },
    }, `show more of ${number(origin.count)}`);
    return button;
  }

  await fill();
  return {
    refresh: () => fill().catch((error) => {
      if (error.status === 404) box.replaceChildren(h("div", { class: "empty" }, "This object was deleted"));
      else if (error.name !== "AbortError") toast(error.message);
    }),
    key: (event) => {
      if (event.ctrlKey) return false;
      if (event.key === "Escape") { location.hash = trail.length ? link(realm, "object", trail.at(-1).class, trail.at(-1).key) : link(realm, "rows", className); return true; }
      const rows = [...box.querySelectorAll("a, button")];
      const at = rows.indexOf(document.activeElement);
      if (event.key === "j" || event.key === "ArrowDown") { rows[Math.min(rows.length - 1, at + 1)]?.focus(); return true; }
      if (event.key === "k" || event.key === "ArrowUp") { rows[Math.max(0, at - 1)]?.focus(); return true; }
      if (event.key === "e" && writable) { box.querySelector(".tools button")?.focus(); return true; }
      if (event.key === "y") { navigator.clipboard?.writeText(`${className} @${key}`).then(() => toast("Copied")); return true; }
      return false;
    },
  };
}
