// A table of any number of rows, of which only those on the screen exist. It knows nothing of realms: `source(from, count)` gives
// rows, columns say how a cell looks. Where all rows together would be higher than browsers allow, the scroll bar is a scale.

import { h, visible } from "../shared/dom.js";

const rowHeight = 28;
const heightMax = 8e6;
const pageSize = 100;
const pagesMax = 12;
/** How many rows around its former place a row is looked for in. */
const followedRows = 500;

const textWidth = (text) => visible(text).length * 9 + 28;

/** How wide a column is for its title and some of its texts. */
export const fitting = (title, texts) => Math.round(Math.max(74, Math.min(320, Math.max(textWidth(title) + 18, ...texts.map(textWidth)))));

/**
 * columns: [{ id, title, note, kind (below the title), width, isNumber, sorted, render(value) → element, text(value) }]
 * options: { count, source(from, count, signal) → Promise<[{key, cells}]>, onOpen(row, column; none for all of the row), onEdit(row, column) for a double click on a
 *            cell, onSort(column), onSummary(column), onColumns(columns), keyTitle, keyText(row) }
 */
export class Grid {
  constructor(columns, options) {
    Object.assign(this, { keyTitle: "key", keyText: (row) => `@${row.key}` }, options);
    this.columns = columns;
    this.headHeight = columns.some((column) => column.kind) ? 44 : 30;
    this.pages = new Map();
    this.keyWidth = 76;
    this.top = 0;
    this.row = 0;
    this.column = 0;
    this.sheet = h("div", { class: "sheet", role: "presentation" });
    this.element = h("div", {
      class: "grid", role: "grid", tabindex: 0, "aria-label": options.label,
      onscroll: () => this.scrolled(), onclick: (event) => this.clicked(event), ondblclick: (event) => this.clicked(event, true),
    }, this.sheet);
    this.element.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
    this.setCount(options.count);
  }

  get visibleCount() { return Math.max(1, (this.element.clientHeight - this.headHeight) / rowHeight); }
  get isScaled() { return this.count * rowHeight > heightMax; }
  get topMax() { return Math.max(0, this.count - this.visibleCount); }
  get scrollMax() { return Math.max(1, this.element.scrollHeight - this.element.clientHeight); }

  setCount(count) {
    this.count = count;
    this.row = Math.max(0, Math.min(this.row, count - 1));
    this.anchor = null;
    this.sheet.style.height = `${this.headHeight + Math.min(count * rowHeight, heightMax)}px`;
    this.element.setAttribute("aria-rowcount", count + 1);
    this.element.setAttribute("aria-colcount", this.columns.length + 1);
    this.draw();
  }

  leave() {
    this.observer.disconnect();
    this.hasLeft = true;
    for (const page of this.pages.values()) page.asking?.abort();
  }

  // MARK: Scrolling

  scrolled() {
    const at = this.element.scrollTop;
    if (this.expectedScroll !== undefined && Math.abs(at - this.expectedScroll) < 1.5) {
      this.expectedScroll = undefined;
    } else {
      this.top = this.isScaled ? (at / this.scrollMax) * this.topMax : at / rowHeight;
    }
    this.draw();
  }

  wheeled(event) {
    if (!this.isScaled || event.ctrlKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return;
    event.preventDefault();
    this.scrollTo(this.top + (event.deltaMode === 1 ? event.deltaY * 3 : event.deltaY / rowHeight));
  }

  scrollTo(top) {
    this.top = Math.max(0, Math.min(this.topMax, top));
    const at = this.isScaled ? (this.top / Math.max(1, this.topMax)) * this.scrollMax : this.top * rowHeight;
    if (Math.abs(this.element.scrollTop - at) >= 1) {
      this.expectedScroll = Math.round(at);
      this.element.scrollTop = at;
    }
    this.draw();
  }

  // MARK: Rows

  page(index) {
    const known = this.pages.get(index);
    if (known) return known.rows;
    const page = { rows: null };
    this.pages.set(index, page);
    while (this.pages.size > pagesMax) this.pages.delete(this.pages.keys().next().value);
    clearTimeout(this.fetching);
    // While somebody drags the scroll bar most pages are passed over.
    this.fetching = setTimeout(() => this.fetchPages(), this.lastFetch && performance.now() - this.lastFetch < 60 ? 50 : 0);
    return null;
  }

  async fetchPages() {
    this.lastFetch = performance.now();
    const first = Math.floor(this.top / pageSize);
    const last = Math.floor((this.top + this.visibleCount) / pageSize);
    for (const [index, page] of [...this.pages]) {
      if (page.rows) continue;
      if (index < first || index > last) { page.asking?.abort(); this.pages.delete(index); continue; }
      if (page.asking) continue;
      page.asking = new AbortController();
      this.source(index * pageSize, pageSize, page.asking.signal).then((rows) => {
        page.rows = rows;
        if (!this.hasLeft) this.draw();
      }, () => { if (this.pages.get(index) === page) this.pages.delete(index); });
    }
  }

  rowAt(index) { return this.page(Math.floor(index / pageSize))?.[index % pageSize]; }

  /** Reads what is on the screen again and marks what is different. The cursor and the selection stay at their objects. */
  async reload(count) {
    const before = new Map();
    for (const page of this.pages.values()) for (const row of page.rows ?? []) before.set(row.key, row.cells.map((value) => JSON.stringify(value)));
    const first = Math.floor(this.top / pageSize);
    const last = Math.floor((this.top + this.visibleCount) / pageSize);
    const fresh = new Map();
    for (let index = first; index <= last; index++) {
      if (index * pageSize < count) fresh.set(index, { rows: await this.source(index * pageSize, pageSize) });
    }
    this.changed = new Set();
    for (const page of fresh.values()) for (const row of page.rows) {
      const old = before.get(row.key);
      row.cells.forEach((value, column) => {
        if (before.size && (!old || old[column] !== JSON.stringify(value))) this.changed.add(`${row.key}/${column}`);
      });
    }
    const [row, anchor] = [this.row, this.anchor];
    const [cursor, other] = [row, anchor ?? row].map((index) => (this.isLost ? undefined : this.rowAt(index)?.key));
    this.pages = fresh;
    this.setCount(count);
    if (cursor !== undefined) {
      const places = new Map([...fresh].flatMap(([index, page]) => page.rows.map((item, place) => [item.key, index * pageSize + place])));
      // Until it is found, no key means another object.
      this.isLost = true;
      if (!places.has(cursor)) {
        const from = Math.max(0, row - followedRows / 2);
        for (const [place, item] of (await this.source(from, followedRows)).entries()) places.set(item.key, from + place);
      }
      if (this.isLost) {
        this.isLost = !places.has(cursor);
        this.row = places.get(cursor) ?? this.row;
        const isWhole = anchor !== null && places.get(other) - this.row === anchor - row;
        if (isWhole && !this.isLost) this.anchor = places.get(other);
      }
      this.draw();
    }
    clearTimeout(this.unmarking);
    this.unmarking = setTimeout(() => { this.changed = null; this.draw(); }, 2000);
  }

  // MARK: Drawing

  draw() {
    if (!this.element.isConnected || this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => { this.isDrawing = false; if (!this.hasLeft) this.drawNow(); });
  }

  drawNow() {
    const shown = this.columns.filter((column) => !column.isHidden);
    const left = this.element.scrollLeft;
    const right = left + this.element.clientWidth;
    for (const page of this.pages.values()) {
      if (page.rows?.length) this.keyWidth = Math.max(this.keyWidth, textWidth(this.keyText(page.rows.at(-1))));
    }
    let x = this.keyWidth;
    let before = 0;
    const visible = [];
    for (const [index, column] of shown.entries()) {
      if (x + column.width > left && x < right) visible.push([index, column]);
      else if (!visible.length) before += column.width;
      x += column.width;
    }
    this.sheet.style.width = `${x}px`;
    const spacer = () => before ? h("div", { style: { width: `${before}px`, flex: "none" }, role: "presentation" }) : null;
    const rows = [this.drawHead(visible, spacer(), x)];
    const selection = this.selection;
    const first = Math.floor(Math.min(this.top, this.topMax));
    const end = Math.min(this.count, Math.ceil(first + this.visibleCount) + 1);
    const offset = this.isScaled ? this.element.scrollTop - (Math.min(this.top, this.topMax) - first) * rowHeight : first * rowHeight;
    for (let index = first; index < end; index++) {
      const row = this.rowAt(index);
      const isCurrent = !this.isLost && index === this.row;
      const isSelected = !this.isLost && index >= selection[0] && index <= selection[1];
      rows.push(h("div", {
        class: `row${isSelected ? " current" : ""}`, role: "row", "aria-selected": String(isSelected), "aria-rowindex": index + 2, "data-row": index,
        style: { top: `${this.headHeight + offset + (index - first) * rowHeight}px`, width: `${x}px` },
      }, h("div", { class: "cell key", role: "rowheader", style: { width: `${this.keyWidth}px` } }, row ? this.keyText(row) : "…"), spacer(),
        visible.map(([place, column]) => h("div", {
          class: `cell${column.isNumber ? " number" : ""}${isCurrent && place === this.column ? " current" : ""}${row && this.changed?.has(`${row.key}/${column.index}`) ? " changed" : ""}`,
          role: "gridcell", "aria-colindex": place + 2, "data-column": place, id: isCurrent && place === this.column ? "current-cell" : null,
          style: { width: `${column.width}px` }, title: row ? column.text(row.cells[column.index]) : null,
        }, row ? column.render(row.cells[column.index]) : ""))));
    }
    for (const link of rows.flatMap((row) => [...row.querySelectorAll("a")])) link.tabIndex = -1;
    const hadFocus = this.sheet.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    this.sheet.replaceChildren(...rows);
    if (hadFocus) this.sheet.querySelector(`[data-focus="${CSS.escape(hadFocus)}"]`)?.focus({ preventScroll: true });
    this.element.setAttribute("aria-activedescendant", "current-cell");
  }

  drawHead(visible, spacer, width) {
    return h("div", { class: "row head", role: "row", "aria-rowindex": 1, style: { width: `${width}px`, height: `${this.headHeight}px` } },
      h("div", { class: "cell key", role: "columnheader", style: { width: `${this.keyWidth}px` } }, this.keyTitle), spacer,
      visible.map(([place, column]) => h("div", {
        class: `cell${column.isNumber ? " number" : ""}`, role: "columnheader", title: `${column.title}: ${column.note}`, "data-head": place, "aria-colindex": place + 2,
        "aria-sort": column.sorted === "asc" ? "ascending" : column.sorted === "desc" ? "descending" : "none",
        style: { width: `${column.width}px` }, draggable: "true",
        ondragstart: (event) => event.dataTransfer.setData("text/plain", String(place)),
        ondragover: (event) => event.preventDefault(),
        ondrop: (event) => { event.preventDefault(); this.moveColumn(Number(event.dataTransfer.getData("text/plain")), place); },
      }, column.title, column.sorted ? (column.sorted === "asc" ? " ↑" : " ↓") : "", column.kind && h("small", {}, column.kind),
        this.onSummary && h("button", { class: "sum", tabindex: -1, title: `Summary of ${column.title}`, "aria-label": `Summary of ${column.title}`, onclick: (event) => { event.stopPropagation(); this.onSummary(column); } }, "∑"),
        h("span", { class: "grip", onpointerdown: (event) => this.resize(event, column), onclick: (event) => event.stopPropagation() }))));
  }

  // MARK: Columns

  moveColumn(from, to) {
    const shown = this.columns.filter((column) => !column.isHidden);
    if (!shown[from] || !shown[to] || from === to) return;
    const target = this.columns.indexOf(shown[to]);
    this.columns.splice(this.columns.indexOf(shown[from]), 1);
    this.columns.splice(target, 0, shown[from]);
    if (this.column === from) this.column = to;
    this.onColumns(this.columns);
    this.draw();
  }

  setWidth(column, width) {
    column.width = Math.max(48, width);
    this.draw();
  }

  resize(event, column) {
    event.preventDefault();
    const [start, width] = [event.clientX, column.width];
    const move = (event) => this.setWidth(column, width + event.clientX - start);
    const end = () => { removeEventListener("pointermove", move); this.onColumns(this.columns); };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end, { once: true });
  }

  // MARK: Pointer and keys

  clicked(event, isDouble = false) {
    const head = event.target.closest("[data-head]");
    if (head) return isDouble || this.onSort(this.columns.filter((column) => !column.isHidden)[head.dataset.head]);
    const row = event.target.closest("[data-row]");
    if (!row || event.target.closest("a")) return;
    const cell = event.target.closest("[data-column]");
    this.anchor = event.shiftKey ? this.anchor ?? this.row : null;
    this.row = Number(row.dataset.row);
    this.isLost = false;
    if (cell) this.column = Number(cell.dataset.column);
    if (event.shiftKey) this.draw();
    else if (isDouble && this.onEdit && this.current.row) this.onEdit(this.current.row, this.current.column);
    else if (isDouble || !cell) this.open();
    else this.draw();
  }

  /** The first and the last row that are selected. */
  get selection() { return [Math.min(this.row, this.anchor ?? this.row), Math.max(this.row, this.anchor ?? this.row)]; }

  /** `row` is none while its object is not there any more and the cursor has not been moved. */
  get current() { return { row: this.isLost ? undefined : this.rowAt(this.row), column: this.columns.filter((column) => !column.isHidden)[this.column] }; }

  open(column) { if (this.current.row) this.onOpen(this.current.row, column); }

  /** Whether the key means something here. */
  key(event) {
    const half = Math.floor(this.visibleCount / 2);
    const moves = {
      ArrowDown: [1, 0], j: [1, 0], ArrowUp: [-1, 0], k: [-1, 0], ArrowLeft: [0, -1], h: [0, -1], ArrowRight: [0, 1], l: [0, 1],
      PageDown: [half * 2, 0], PageUp: [-half * 2, 0], Home: [-Infinity, 0], End: [Infinity, 0], g: [-Infinity, 0], G: [Infinity, 0],
    };
    const move = event.ctrlKey ? { d: [half, 0], u: [-half, 0], Home: [-Infinity, 0], End: [Infinity, 0] }[event.key] : moves[event.key];
    if (event.key === "Enter" && !event.target.closest("a, button")) { this.open(this.current.column); return true; }
    const { column } = this.current;
    if ("<>".includes(event.key) && column) { this.setWidth(column, column.width + (event.key === ">" ? 24 : -24)); this.onColumns(this.columns); return true; }
    if ("[]".includes(event.key) && column) { this.moveColumn(this.column, this.column + (event.key === "]" ? 1 : -1)); return true; }
    if (!move || !this.count) return false;
    const shown = this.columns.filter((column) => !column.isHidden);
    this.anchor = event.shiftKey && event.key !== "G" ? this.anchor ?? this.row : null;
    this.row = Math.max(0, Math.min(this.count - 1, this.row + (this.isLost ? 0 : move[0])));
    this.isLost = false;
    this.column = Math.max(0, Math.min(shown.length - 1, this.column + move[1]));
    if (this.row < this.top) this.scrollTo(this.row);
    else if (this.row >= this.top + this.visibleCount - 1) this.scrollTo(this.row - this.visibleCount + 1.2);
    const x = shown.slice(0, this.column).reduce((sum, column) => sum + column.width, 0);
    if (x < this.element.scrollLeft) this.element.scrollLeft = x;
    const over = x + this.keyWidth + (shown[this.column]?.width ?? 0) - this.element.clientWidth;
    if (over > this.element.scrollLeft) this.element.scrollLeft = over;
    this.draw();
    return true;
  }
}
