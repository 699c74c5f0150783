// What can be said of all values of a property.

import { h, fill, ask, number } from "../shared/dom.js";
import { get, address } from "../shared/api.js";
import { cell, short } from "../shared/values.js";

export async function showSummary(realm, className, property, where) {
  const box = h("div", {}, h("p", { class: "soft" }, "…"));
  const closed = ask(`${className}.${property.name}`, box);
  const leaving = new AbortController();
  closed.then(() => leaving.abort());
  try {
    const found = await get(address("realms", realm, "summary", { class: className, property: property.name, where }), leaving.signal);
    const most = Math.max(1, ...found.histogram);
    const facts = [["Type", property.word], ["Null", number(found.nulls)], ["Different values", number(found.distinct)],
      found.min !== null && ["Least", cell(realm, found.min)], found.max !== null && ["Greatest", cell(realm, found.max)], found.mean !== null && ["Mean", short(found.mean)]].filter(Boolean);
    fill(box, h("dl", { class: "summary" }, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      found.histogram.length ? h("div", { class: "bars", role: "img", "aria-label": `Spread over eight parts: ${found.histogram.join(", ")}` }, found.histogram.map((n) => h("i", { title: number(n), style: { height: `${(100 * n) / most}%` } }))) : null,
      found.frequent[0]?.count > 1 ? h("div", {}, h("h2", {}, "Most frequent"), h("dl", { class: "summary" }, found.frequent.flatMap((item) => [h("dt", {}, number(item.count)), h("dd", {}, cell(realm, item.value))]))) : null);
  } catch (error) {
    box.replaceChildren(h("p", { class: "alarm" }, error.message));
  }
  return closed;
}
