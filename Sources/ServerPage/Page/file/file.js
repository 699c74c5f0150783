// The file: what its header says, what takes its space, and whether it is sound.

import { h, fill as put, bytes, number, counted } from "../shared/dom.js";
import { get, address } from "../shared/api.js";
import { treemap } from "./treemap.js";

export async function open(main, here) {
  const box = h("div", { class: "page" });
  main.replaceChildren(box);
  const leaving = new AbortController();
  async function fill() {
    const found = await get(address("realms", here.realm, "space"), leaving.signal);
    const facts = [["File", found.file], ["Format", found.file_format !== undefined && `${found.file_format} – ${found.written_by}`], ["Size", found.size_bytes !== undefined && bytes(found.size_bytes)],
      ["Used", found.used_bytes !== undefined && bytes(found.used_bytes)], ["Free", found.free_bytes !== undefined && bytes(found.free_bytes)], ["Kept for older versions", found.pinned_bytes ? bytes(found.pinned_bytes) : null],
      ["Encrypted", found.encrypted ? "yes" : found.encrypted === false ? "no" : null], ["History", found.history], ["Schema version", found.schema_version], ["Data version", found.data_version],
      ["Header", found.slots && found.slots.map((slot, index) => `slot ${index}${index === found.current_slot ? " (current)" : ""}: top array at ${slot.top_ref}, format ${slot.file_format}`).join("; ")]]
      .filter(([, value]) => value !== undefined && value !== null && value !== false);
    const parts = [];
    for (const item of found.classes ?? []) {
      for (const property of item.properties ?? []) {
        if (property.bytes) parts.push({ group: item.name, name: property.name, size: property.bytes });
        if (property.index_bytes) parts.push({ group: item.name, name: `index of ${property.name}`, size: property.index_bytes });
      }
      if (item.backlink_bytes) parts.push({ group: item.name, name: "incoming links", size: item.backlink_bytes });
    }
    if (found.free_bytes) parts.push({ group: "", name: "free", size: found.free_bytes });
    put(box, h("h1", {}, "File"), found.error && h("p", { class: "alarm" }, found.error.message),
      h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])),
      parts.length > 0 && h("h2", {}, "Space"), parts.length > 0 && treemap(parts),
      h("h2", {}, "Check"), checking());
  }
  function checking() {
    const result = h("div", { "aria-live": "polite" });
    const button = h("button", {
      onclick: async () => {
        button.disabled = true;
        const start = performance.now();
        const time = h("span", { class: "soft" }, "");
        const timer = setInterval(() => { time.textContent = ` ${Math.floor((performance.now() - start) / 1000)} s`; }, 500);
        result.replaceChildren(h("p", {}, h("progress", { "aria-label": "Checking" }), time));
        try { result.replaceChildren(report(await get(address("realms", here.realm, "check"), leaving.signal))); } catch (error) { result.replaceChildren(h("p", { class: "alarm" }, error.message)); }
        clearInterval(timer);
        button.disabled = false;
      },
    }, "Check the whole file");
    return h("div", {}, h("p", {}, button), result);
  }
  await fill();
  return { leave: () => leaving.abort(), refresh: fill };
}

function report(found) {
  const count = Object.values(found.counts ?? {}).reduce((sum, n) => sum + n, 0);
  return h("div", {}, h("p", {}, h("strong", { class: found.verdict === "sound" ? "" : "alarm" }, found.verdict), count ? `: ${counted(count, "finding", "findings")}` : "", found.walked ? h("span", { class: "soft" }, ` (${Object.entries(found.walked).map(([key, n]) => `${number(n)} ${key.replaceAll("_", " ")}`).join(", ")})`) : ""),
    found.findings?.length > 0 && h("table", { class: "findings" }, h("thead", {}, h("tr", {}, ["What", "Where", "Expected", "Found", "Offset"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.findings.map((item) => h("tr", {}, h("td", {}, `${item.severity.replace("_", " ")}: ${item.kind}`), h("td", {}, item.place), h("td", {}, item.expected), h("td", {}, item.found), h("td", {}, number(item.offset)))))));
}
