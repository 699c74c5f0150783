// What a statement gives: rows as a grid that sorts them here, anything else as a list of its parts.

import { h, counted } from "../shared/dom.js";
import { cell, short, tag } from "../shared/values.js";
import { Grid, fitting } from "./grid.js";

/** A value of a result in the form of the API's other values. */
function converted(value) {
  if (Array.isArray(value)) return { $list: { count: value.length, from: 0, items: value.map(converted) } };
  if (value === null || typeof value !== "object") return value;
  const content = value[tag(value)];
  switch (tag(value)) {
    case "$set": return { $set: converted(content).$list };
    case "$dict": return { $dict: { count: Object.keys(content).length, from: 0, items: Object.entries(content).map(([key, item]) => [key, converted(item)]) } };
    case "$binary": return typeof content === "string" ? { $binary: { bytes: Math.floor(content.replace(/=+$/, "").length * 3 / 4), start: content } } : value;
    case "$embedded": return { $embedded: { class: "", values: Object.fromEntries(Object.entries(content).map(([key, item]) => [key, converted(item)])) } };
    default: return tag(value)?.startsWith("$") ? value : { $embedded: { class: "", values: Object.fromEntries(Object.entries(value).map(([key, item]) => [key, converted(item)])) } };
  }
}

const order = (value) => (value?.$int !== undefined ? Number(value.$int) : tag(value) ? short(value) : value);

function compare(left, right) {
  const [first, second] = [order(left), order(right)];
  if (first === null || second === null) return (first === null ? 0 : 1) - (second === null ? 0 : 1);
  if (typeof first === "number" && typeof second === "number") return first - second;
  return String(first).localeCompare(String(second), undefined, { numeric: true });
}

/** The element for a result, what is said of it, and its grid. */
export function results(realm, { result, is_cut: isCut }) {
  if (!Array.isArray(result)) {
    const parts = Object.entries(result ?? {}).map(([name, value]) => [h("dt", {}, name), h("dd", {}, cell(realm, converted(value)))]);
    return { element: h("div", { class: "result" }, h("dl", {}, parts)), told: "" };
  }
  const told = isCut ? `first ${counted(result.length, "row", "rows")}; add a limit to see others` : counted(result.length, "row", "rows");
  if (!result.length) return { element: h("div", { class: "empty" }, "The statement gives no rows"), told };
  const names = Object.keys(result[0]);
  const rows = result.map((row, index) => ({ key: index + 1, cells: names.map((name) => converted(row[name] ?? null)) }));
  const sample = rows.slice(0, 100);
  const columns = names.map((name, index) => {
    return {
      id: name, index, title: name, note: "of the result", width: fitting(name, sample.map((row) => short(row.cells[index]))),
      isNumber: sample.some((row) => typeof row.cells[index] === "number" || row.cells[index]?.$int), render: (value) => cell(realm, value, true), text: (value) => short(value).slice(0, 300),
    };
  });
  let sorted = rows;
  const grid = new Grid(columns, {
    label: "Result", count: rows.length, keyTitle: "#", keyText: (row) => row.key,
    source: async (from, count) => sorted.slice(from, from + count), onOpen: () => {}, onColumns: () => {},
    onSort: (column) => {
      const next = { asc: "desc", desc: undefined }[column.sorted];
      const direction = column.sorted === undefined ? "asc" : next;
      for (const other of columns) other.sorted = undefined;
      column.sorted = direction;
      sorted = direction ? [...rows].sort((left, right) => compare(left.cells[column.index], right.cells[column.index]) * (direction === "asc" ? 1 : -1)) : rows;
      grid.pages.clear();
      grid.draw();
    },
  });
  return { element: grid.element, told, grid };
}
