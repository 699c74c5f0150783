// The file: what its header says, what takes its space, whether it is sound, and copies of it.

import { h, fill as put, bytes, number, counted, saveAs } from "../shared/dom.js";
import { get, post, download, address } from "../shared/api.js";
import { moment } from "../shared/values.js";
import { refresh } from "../page.js";
import { treemap } from "./treemap.js";

export async function open(main, here, state) {
  const box = h("div", { class: "page" });
  main.replaceChildren(box);
  const [facts, space] = [h("div"), h("div")];
  async function fill() {
    const found = await get(address("realms", here.realm, "space"), here.signal);
    const lines = [["File", found.file], ["Last change", found.modified && moment(found.modified)], ["Format", found.file_format !== undefined && `${found.file_format} – ${found.written_by}`], ["Size", found.size_bytes !== undefined && bytes(found.size_bytes)],
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
    put(facts, found.error && h("p", {}, h("span", { class: "alarm" }, found.error.message), found.error.hint && ` – ${found.error.hint}`),
      h("dl", {}, lines.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
    put(space, parts.length > 0 && h("h2", {}, "Space"), parts.length > 0 && treemap(parts));
  }

  await fill();
  put(box, h("h1", {}, "File"), facts, actions(here.realm, state.realms[here.realm], here.signal), space);
  return { refresh: fill };
}

/** What can be done with the whole file: one at a time, with how far it is. */
function actions(realm, { file, writable }, signal) {
  const result = h("div", { "aria-live": "polite" });
  const name = file.split("/").at(-1).replace(/\.realm$/, "");
  const action = (title, label, run) => h("button", { title, onclick: () => start(label, run) }, label);
  const buttons = [
    action("Read every node, value and link, and compare them with what the format requires", "Check", async () => report(await get(address("realms", realm, "check"), signal))),
    writable && action("Return unused space to the system; no other program may have the file open", "Compact", async () => {
      const done = await post(address("realms", realm, "compact"), "", signal);
      await refresh();
      return h("p", {}, done.compacted ? `Compacted: ${bytes(done.size_before)} before, ${bytes(done.size_after)} now` : "The file is compact already");
    }),
    action("A copy without unused space, with the same key", "Save a compact copy", () => save("realm", `${name}-copy.realm`)),
    action("All classes as tables of SQLite, not encrypted", "Save as SQLite", () => save("sqlite", `${name}.sqlite`)),
  ].filter(Boolean);

  async function save(format, fileName) {
    const blob = await download(address("realms", realm, "file", { format }), signal);
    saveAs(blob, fileName);
    return h("p", {}, `${fileName}: ${bytes(blob.size)}`);
  }

  async function start(label, run) {
    for (const button of buttons) button.disabled = true;
    const begun = performance.now();
    const bar = h("progress", { "aria-label": label, max: 1 });
    const words = h("span", { class: "soft" });
    put(result, h("p", {}, bar, " ", words));
    const timer = setInterval(async () => {
      const now = await get(address("realms", realm, "progress"), signal).catch(() => null);
      if (now?.expected) bar.value = Math.min(1, now.done / now.expected);
      words.textContent = `${label}, ${Math.floor((performance.now() - begun) / 1000)} s`;
    }, 300);
    try { put(result, await run()); } catch (error) {
      if (error.name !== "AbortError") put(result, h("p", { class: "alarm" }, error.message, error.hint && ` – ${error.hint}`));
    }
    clearInterval(timer);
    for (const button of buttons) button.disabled = false;
  }
  return h("div", {}, h("p", { class: "actions" }, buttons), result);
}

function report(found) {
  const count = Object.values(found.counts ?? {}).reduce((sum, n) => sum + n, 0);
  return h("div", {}, h("p", {}, h("strong", { class: found.verdict === "sound" ? "" : "alarm" }, found.verdict), count ? `: ${counted(count, "finding", "findings")}` : "", found.walked ? h("span", { class: "soft" }, ` (${Object.entries(found.walked).map(([key, n]) => `${number(n)} ${key.replaceAll("_", " ")}`).join(", ")})`) : ""),
    found.findings?.length > 0 && h("table", { class: "findings" }, h("thead", {}, h("tr", {}, ["What", "Where", "Expected", "Found", "Offset"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, found.findings.map((item) => h("tr", {}, h("td", {}, `${item.severity.replace("_", " ")}: ${item.kind.replaceAll("_", " ")}`), h("td", {}, item.place), h("td", {}, item.expected), h("td", {}, item.found), h("td", {}, number(item.offset)))))));
}
