// Rows of a class: the line for a condition, and the grid below it.

import { h, ask, toast, number, counted, saveAs } from "../shared/dom.js";
import { get, address, download, link } from "../shared/api.js";
import { cell, full, name, short, tag, wholeText, isCollection, datesAreLocal, setLocalDates } from "../shared/values.js";
import { classNamed, isKnownSchema } from "../page.js";
import { Grid, fitting } from "./grid.js";
import { queryLine, isStatement } from "./query-line.js";
import { results } from "./results.js";
import { showSummary } from "./summary.js";
import { editValue, wholeValue, createObject, deleteObjects } from "../object/edits.js";

const pageMax = 500;
const deletionsMax = 5000;
const formats = { csv: "CSV", json: "JSON", jsonl: "JSON lines", sqlite: "SQLite" };
const numeric = ["int", "float", "double", "decimal128"];

export async function open(main, here, state) {
  const { realm, rest: [className], query } = here;
  // The way from object to object begins here.
  sessionStorage.removeItem("trail");
  const description = classNamed(className);
  if (!description) throw new Error(`There is no class '${className}'`);
  const writable = state.realms[realm].writable && description.kind !== "embedded";
  const storage = `columns ${state.realms[realm].file} ${className}`;
  const count = h("span", { role: "status" }, "…");
  const content = h("div", { style: { flex: 1, minHeight: 0, display: "flex", flexDirection: "column" } });
  const go = (changes) => { location.hash = link(realm, "rows", className, { ...query, ...changes }); };
  const line = queryLine(realm, className, query.where ?? "", (text) => {
    if (text === (query.where ?? "")) fill();
    else go({ where: text });
  });
  const bar = h("div", { class: "bar" }, h("h1", { dir: "auto" }, className), count, h("span", { class: "grow" }),
    writable && h("button", { onclick: () => createObject(realm, description) }, "New"),
    h("button", { onclick: () => chooseColumns() }, "Columns"),
    h("button", { "aria-pressed": String(datesAreLocal()), title: "How dates are shown", onclick: (event) => { setLocalDates(!datesAreLocal()); event.target.textContent = datesAreLocal() ? "Local time" : "UTC"; grid?.draw(); } }, datesAreLocal() ? "Local time" : "UTC"),
    h("select", { "aria-label": "Export", onchange: (event) => { const format = event.target.value; event.target.value = ""; if (format) save(format); } },
      h("option", { value: "" }, "Export…"), Object.entries(formats).map(([format, name]) => h("option", { value: format }, name))));
  main.replaceChildren(h("div", { class: "query" }, line.element, h("button", { class: "main", onclick: () => line.run() }, "Run")), bar, content);
  let grid = null;
  /** What a statement gave stands in the grid's place. */
  let result = null;
  /** What is wrong cannot be exported either. */
  let isShown = false;
  let hasStatement = false;
  /** Ends what was asked for the grid's place, when something else is asked for. */
  let asking = new AbortController();
  let isBusy = false;
  /** A commit came meanwhile. */
  let isStale = false;

  const names = description.properties.map((property) => property.name);
  const primaryKey = names.indexOf(description.primary_key);

  async function rows(from, size, signal = asking.signal) {
    const answer = await get(address("realms", realm, "rows", { class: className, where: query.where, sort: query.sort, from, count: size }), signal);
    // Its cells would stand under wrong names.
    if (!isKnownSchema(JSON.stringify(answer.columns) === JSON.stringify(names), answer.version)) throw new DOMException("the schema has changed", "AbortError");
    return answer;
  }

  /** What edits need to know of the object of a row. */
  const objectOf = (row) => ({ realm, className, key: row.key, title: name({ class: className, key: row.key, primary_key: row.cells[primaryKey] }) });

  async function save(format) {
    if (!isShown) return toast("There is nothing to export");
    const chosen = hasStatement ? { statement: query.where } : { class: className, where: query.where, sort: query.sort };
    try {
      const fileName = /^\w{1,99}$/.test(className) && chosen.class ? className : "result";
      saveAs(await download(address("realms", realm, "export", { ...chosen, format }), here.signal), `${fileName}.${format}`);
    } catch (error) { if (error.name !== "AbortError") toast(error.message); }
  }

  function columns(sample = []) {
    const saved = (() => { try { return JSON.parse(localStorage.getItem(storage)) ?? []; } catch { return []; } })();
    const all = description.properties.map((property, index) => {
      const sorted = query.sort === property.spelled ? "asc" : query.sort === `${property.spelled} desc` ? "desc" : null;
      const old = saved.find((item) => item.id === property.name);
      return {
        id: property.name, index, property, title: property.name, note: property.word + (property.name === description.primary_key ? ", primary key" : property.indexed ? ", indexed" : ""), kind: property.word, sorted,
        width: old?.width ?? (property.collection ? 260 : Math.max(property.type === "int" ? 104 : 0, fitting(property.name, [property.word, ...sample.map((row) => shown(row.cells[index]))]))),
        isHidden: old?.isHidden ?? false, isNumber: !property.collection && numeric.includes(property.type), render: (value) => cell(realm, value, true), text: (value) => short(value).slice(0, 300),
      };
    });
    const place = (column) => { const index = saved.findIndex((item) => item.id === column.id); return index < 0 ? saved.length : index; };
    return all.sort((left, right) => place(left) - place(right));
  }

  /** About what a cell shows of a value. */
  const shown = (value) => (tag(value) === "$embedded" ? cell(realm, value, true).textContent : short(value));

  const keep = (columns) => localStorage.setItem(storage, JSON.stringify(columns.map(({ id, width, isHidden }) => ({ id, width, isHidden }))));

  async function fill() {
    leave();
    asking = new AbortController();
    const { signal } = asking;
    grid = result = null;
    isShown = isStale = false;
    isBusy = true;
    try {
      hasStatement = await isStatement(realm, className, query.where ?? "", signal);
      if (hasStatement) return await fillResult(query.where, signal);
      const first = await rows(0, 100, signal);
      if (signal.aborted) return;
      isShown = true;
      line.warn(first.warnings);
      tell(first);
      if (!first.count) {
        return content.replaceChildren(h("div", { class: "empty" }, first.total ? "No object meets this condition" : `${className} has no objects`));
      }
      grid = new Grid(columns(first.rows), {
        label: `Objects of ${className}`, count: first.count,
        source: async (from, size, signal) => (from === 0 && first.rows ? first : await rows(from, size, signal)).rows,
        onOpen: (row, column) => {
          const { class: target, key, missing } = column && row.cells[column.index]?.$link || {};
          location.hash = key && target !== null && !missing ? link(realm, "object", target, key) : link(realm, "object", className, row.key);
        },
        onEdit: writable ? (row, column) => (isCollection(row.cells[column.index]) ? look(row, column) : edit(row, column)) : null,
        onSort: (column) => {
          if (column.property.collection || ["object", "mixed", "data"].includes(column.property.type)) return toast(`${column.title} has no order`);
          go({ sort: column.sorted === "asc" ? `${column.property.spelled} desc` : column.sorted === "desc" ? "" : column.property.spelled });
        },
        onSummary: (column) => showSummary(realm, className, column.property, query.where),
        onColumns: keep,
      });
      content.replaceChildren(grid.element);
      grid.pages.set(0, { rows: first.rows });
      delete first.rows;
      grid.draw();
      if (document.activeElement === document.body || document.activeElement === main) grid.element.focus({ preventScroll: true });
    } catch (error) {
      if (error.name === "AbortError") return;
      count.textContent = "";
      content.replaceChildren(h("div", { class: "empty" }, "Nothing to show: see the mistake above"));
      line.complain(error);
    } finally {
      if (!signal.aborted) isBusy = false;
    }
    if (isStale && !signal.aborted) refresh().catch((error) => toast(error.message));
  }

  function leave() {
    asking.abort();
    grid?.leave();
    result?.leave();
  }

  /** Esc, while the server works: whether it did. */
  function stop() {
    if (!isBusy) return false;
    asking.abort();
    isBusy = false;
    count.textContent = "";
    content.replaceChildren(h("div", { class: "empty" }, "Stopped"));
    return true;
  }

  async function refresh() {
    // What runs for long would never end where it began again with every commit.
    isStale = isBusy;
    if (isBusy) return;
    if (!grid) return fill();
    const answer = await rows(0, 1);
    tell(answer);
    if (!answer.count) return fill();
    await grid.reload(answer.count);
  }

  const edit = (row, column) => editValue(objectOf(row), [column.id]);

  async function copy(row, column) {
    try {
      await navigator.clipboard.writeText(wholeText((await wholeValue(objectOf(row), [column.id])).value));
      toast("Copied");
    } catch (error) { toast(error.name === "NotAllowedError" ? "The browser does not allow it" : error.message); }
  }

  /** Shows the whole of a value without leaving the grid. */
  async function look(row, column) {
    const part = (from) => get(address("realms", realm, "objects", className, row.key, { property: column.id, from }), here.signal).then((answer) => answer.values[column.id]);
    try {
      await ask(`${objectOf(row).title} › ${column.title}`, h("div", { class: "look" }, full(realm, await part(0), { path: [column.id], more: part })));
    } catch (error) { if (error.name !== "AbortError") toast(error.message); }
  }

  async function remove() {
    const [first, last] = grid.selection;
    if (last - first >= deletionsMax) return toast(`At most ${number(deletionsMax)} objects are deleted at once`);
    const { row } = grid.current;
    if (first === last) return await deleteObjects(className, [row.key], await get(address("realms", realm, "links", className, row.key), here.signal), objectOf(row).title);
    const keys = [];
    for (let from = first; from <= last; from += pageMax) keys.push(...(await rows(from, Math.min(pageMax, last - from + 1))).rows.map((row) => row.key));
    const isOther = (index) => (grid.rowAt(index)?.key ?? keys[index - first]) !== keys[index - first];
    for (let index = first; index <= last; index++) if (isOther(index)) return toast("These rows have just been changed by another program");
    await deleteObjects(className, keys, null);
  }

  function tell(answer) {
    count.textContent = answer.count === answer.total ? counted(answer.count, "object", "objects") : `${number(answer.count)} of ${counted(answer.total, "object", "objects")}`;
  }

  async function fillResult(text, signal) {
    const answer = await get(address("realms", realm, "query", { text }), signal);
    if (signal.aborted) return;
    const shown = results(realm, answer);
    line.warn(answer.warnings);
    count.textContent = shown.told;
    isShown = true;
    result = shown.grid ?? null;
    content.replaceChildren(shown.element);
    result?.draw();
  }

  async function chooseColumns() {
    const all = grid?.columns ?? columns();
    await ask("Columns", h("div", {}, all.map((column) => h("label", {}, h("input", {
      type: "checkbox", checked: !column.isHidden, style: { width: "auto", marginRight: "8px" },
      onchange: (event) => { column.isHidden = !event.target.checked; keep(all); grid?.draw(); },
    }), column.title, h("span", { class: "soft" }, ` ${column.note}`)))));
  }

  fill();
  return {
    leave, stop, refresh,
    key: (event) => {
      if (event.key === "/") { line.input.focus(); line.input.select(); return true; }
      if (event.key === "n" && writable) { createObject(realm, description); return true; }
      if (!grid) return result?.key(event) ?? false;
      const { row, column } = grid.current;
      if (row && event.key === "Delete" && writable) { remove().catch((error) => toast(error.message)); return true; }
      if (row && column && !event.ctrlKey) {
        if (event.key === "y") { copy(row, column); return true; }
        if (event.key === "s") { grid.onSort(column); return true; }
        if (event.key === "i") { grid.onSummary(column); return true; }
        if (event.key === " ") { look(row, column); return true; }
        if (event.key === "e" && writable) { edit(row, column); return true; }
      }
      return grid.key(event);
    },
  };
}
