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

/** Where numbers without digits are among the others, which have the rank 0. */
const special = { "-infinity": -1, infinity: 1, nan: -2 };

/** A number as { rank, digits, exponent }: integers of any size and decimals are compared exactly. */
function exact(value) {
  const content = ["$int", "$float", "$double", "$decimal"].includes(tag(value)) ? value[tag(value)] : value;
  if (typeof content !== "number" && content === value) return null;
  const text = String(content).toLowerCase();
  const [, sign, whole, fraction = "", exponent = 0] = text.match(/^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/) ?? [];
  if (whole === undefined) return { rank: special[text.replace(/inf$/, "infinity").replace(/^\+|^-(?=nan)/, "")] ?? -2 };
  return { rank: 0, digits: BigInt(`${whole}${fraction}` || 0) * (sign === "-" ? -1n : 1n), exponent: Number(exponent) - fraction.length };
}

const signOf = (number) => (number > 0 ? 1 : number < 0 ? -1 : 0);

/** Nulls come first, then NaN, numbers, and all else by its text. */
function compare(left, right) {
  if (left === null || right === null) return (left === null ? 0 : 1) - (right === null ? 0 : 1);
  const [first, second] = [exact(left), exact(right)];
  if (!first || !second) return (first ? 0 : 1) - (second ? 0 : 1) || byText.compare(short(left), short(right));
  if (first.rank || second.rank) return first.rank - second.rank;
  const signs = signOf(first.digits) - signOf(second.digits);
  if (signs || !first.digits) return signs;
  // Where the first digits stand decides, so that no number is made very long.
  const places = ({ digits, exponent }) => String(digits).replace("-", "").length + exponent;
  const place = places(first) - places(second);
  if (place) return place * signOf(first.digits);
  const least = Math.min(first.exponent, second.exponent);
  const scaled = ({ digits, exponent }) => digits * 10n ** BigInt(exponent - least);
  return signOf(scaled(first) - scaled(second));
}

const byText = new Intl.Collator();

/** The element for a result, what is said of it, and its grid. */
export function results(realm, { result, is_cut: isCut }) {
  const { columns: names, rows: lines } = result ?? {};
  if (!Array.isArray(names) || !Array.isArray(lines)) {
    const parts = Object.entries(result ?? {}).map(([name, value]) => [h("dt", {}, name), h("dd", {}, cell(realm, converted(value)))]);
    return { element: h("div", { class: "result" }, h("dl", {}, parts)), told: "" };
  }
  const told = isCut ? `first ${counted(lines.length, "row", "rows")}; add a limit to see others` : counted(lines.length, "row", "rows");
  if (!lines.length) return { element: h("div", { class: "empty" }, "The statement gives no rows"), told };
  const rows = lines.map((line, index) => ({ key: index + 1, cells: line.map(converted) }));
  const sample = rows.slice(0, 100);
  const columns = names.map((name, index) => {
    return {
      id: name, index, title: name, note: "of the result", width: fitting(name, sample.map((row) => short(row.cells[index]))),
      isNumber: sample.some((row) => typeof row.cells[index] === "number" || row.cells[index]?.$int || row.cells[index]?.$double), render: (value) => cell(realm, value, true), text: (value) => short(value).slice(0, 300),
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
