// Classes as boxes in columns, links as curves between them. Drag to move around, wheel or + and - to zoom.

import { h, saveAs, visible } from "../shared/dom.js";
import { link } from "../shared/api.js";

const width = 210;
const lineHeight = 18;
const headHeight = 28;
const gap = 90;
const linesMax = 24;

export function diagram(realm, classes) {
  const boxes = layout(classes);
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const size = { width: Math.max(...boxes.map((box) => box.x + width)) + 20, height: Math.max(...boxes.map((box) => box.y + box.height)) + 20 };
  const svg = h("svg", { role: "img", "aria-label": `Diagram of ${classes.length} classes`, "font-family": "system-ui, sans-serif", "font-size": 12, xmlns: "http://www.w3.org/2000/svg" },
    h("defs", {}, h("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, h("path", { d: "M0 0 8 4 0 8z", fill: "#8888aa" }))),
    boxes.flatMap((box) => box.links.map((item) => curve(box, item, byName.get(item.target)))), boxes.map(draw));
  let view = { x: -10, y: -10, scale: 1 };
  const apply = () => svg.setAttribute("viewBox", `${view.x} ${view.y} ${element.clientWidth / view.scale} ${element.clientHeight / view.scale}`);
  const zoom = (factor, x = element.clientWidth / 2, y = element.clientHeight / 2) => {
    const scale = Math.max(0.08, Math.min(3, view.scale * factor));
    view = { x: view.x + x / view.scale - x / scale, y: view.y + y / view.scale - y / scale, scale };
    apply();
  };
  const element = h("div", {
    class: "diagram", tabindex: 0, role: "group", "aria-label": "Diagram: arrows move, plus and minus zoom",
    onwheel: (event) => { event.preventDefault(); const at = element.getBoundingClientRect(); zoom(event.deltaY < 0 ? 1.12 : 0.89, event.clientX - at.left, event.clientY - at.top); },
    onpointerdown: drag,
    onkeydown: (event) => {
      const moves = { ArrowLeft: [-40, 0], ArrowRight: [40, 0], ArrowUp: [0, -40], ArrowDown: [0, 40] }[event.key];
      if (moves) { view.x += moves[0] / view.scale; view.y += moves[1] / view.scale; apply(); } else if (event.key === "+" || event.key === "=") zoom(1.2); else if (event.key === "-") zoom(0.83); else return;
      event.preventDefault();
      event.stopPropagation();
    },
  }, svg);
  function drag(start) {
    element.setPointerCapture(start.pointerId);
    const origin = { ...view };
    const move = (event) => { view.x = origin.x - (event.clientX - start.clientX) / view.scale; view.y = origin.y - (event.clientY - start.clientY) / view.scale; apply(); };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", (end) => {
      element.removeEventListener("pointermove", move);
      const isClick = Math.hypot(end.clientX - start.clientX, end.clientY - start.clientY) < 4;
      const name = start.target.closest("[data-class]")?.dataset.class;
      if (isClick && name !== undefined) location.hash = link(realm, "rows", name);
    }, { once: true });
  }
  function fit() {
    element.style.height = `${Math.min(innerHeight * 0.62, 640, Math.max(160, ((size.height + 20) * Math.min(element.clientWidth * 1.2, 1.2 * (size.width + 20))) / (size.width + 20)))}px`;
    const scale = Math.min(1.2, element.clientWidth / (size.width + 20), element.clientHeight / (size.height + 20));
    view = { x: -(element.clientWidth / scale - size.width) / 2, y: -10, scale };
    apply();
  }
  function save() {
    const copy = svg.cloneNode(true);
    copy.setAttribute("viewBox", `-10 -10 ${size.width + 20} ${size.height + 20}`);
    saveAs(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" }), "schema.svg");
  }
  return { element, fit, save };
}

/** Classes that nothing links to come first, what they link to right of them; a column goes on beside itself where it is long. */
function layout(classes) {
  const boxes = classes.map((item) => ({
    ...item, links: item.properties.filter((property) => property.target && classes.some((other) => other.name === property.target)).map((property) => ({ ...property, line: Math.min(item.properties.indexOf(property), linesMax) })),
    height: headHeight + Math.min(item.properties.length, linesMax + 1) * lineHeight + 8,
  }));
  // From those that are linked to least: a link back to where the way came from moves nothing.
  const incoming = new Map();
  for (const box of boxes) for (const item of box.links) incoming.set(item.target, (incoming.get(item.target) ?? 0) + 1);
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const depth = new Map();
  const visit = (box, level, way) => {
    if (way.has(box.name) || level > 5 || (depth.get(box.name) ?? -1) >= level) return;
    depth.set(box.name, level);
    for (const item of box.links) visit(byName.get(item.target), level + 1, new Set(way).add(box.name));
  };
  const order = [...boxes].sort((left, right) => (incoming.get(left.name) ?? 0) - (incoming.get(right.name) ?? 0) || right.links.length - left.links.length);
  for (const box of order) if (!depth.has(box.name)) visit(box, 0, new Set());
  const columns = [];
  for (const box of boxes) (columns[depth.get(box.name)] ??= []).push(box);
  const heightMax = Math.max(700, Math.sqrt(boxes.reduce((sum, box) => sum + box.height, 0) * 220));
  let x = 0;
  for (const column of columns.filter(Boolean)) {
    let y = 0;
    for (const box of column) {
      if (y > 0 && y + box.height > heightMax) { x += width + gap; y = 0; }
      Object.assign(box, { x, y });
      y += box.height + 34;
    }
    x += width + gap;
  }
  return boxes;
}

function cut(name, most) { const text = visible(name); return text.length > most ? `${text.slice(0, most - 1)}…` : text; }

function draw(box) {
  const lines = box.properties.slice(0, linesMax).map((property, index) => h("text", { x: box.x + 10, y: box.y + headHeight + 14 + index * lineHeight, fill: "#333344" },
    cut(`${property.name === box.primary_key ? "• " : ""}${property.name}: ${property.word}`, 31)));
  if (box.properties.length > linesMax) lines.push(h("text", { x: box.x + 10, y: box.y + headHeight + 14 + linesMax * lineHeight, fill: "#66667a" }, `${box.properties.length - linesMax} more`));
  return h("g", { "data-class": box.name }, h("title", {}, `${box.name}, ${box.objects} objects`),
    h("rect", { x: box.x, y: box.y, width, height: box.height, rx: 8, fill: "#ffffff", stroke: box.kind === "embedded" ? "#9a9ab4" : "#5a5ad0", "stroke-dasharray": box.kind === "embedded" ? "5 3" : "none" }),
    h("text", { x: box.x + 10, y: box.y + 19, "font-weight": 600, fill: "#1c1c28" }, cut(box.name, 24)), lines);
}

function curve(from, item, to) {
  const y = from.y + headHeight + 10 + item.line * lineHeight;
  const isBack = to.x <= from.x;
  const [startX, endX] = [isBack && to.x < from.x ? from.x : from.x + width, isBack && to.x === from.x ? to.x + width : isBack ? to.x + width : to.x];
  const endY = to.y + 16;
  const bend = isBack && to.x === from.x ? 50 : Math.max(40, Math.abs(endX - startX) / 2);
  const [bend1, bend2] = isBack && to.x === from.x ? [startX + bend, endX + bend] : isBack ? [startX - bend, endX + bend] : [startX + bend, endX - bend];
  return h("path", { d: `M${startX} ${y}C${bend1} ${y} ${bend2} ${endY} ${endX} ${endY}`, fill: "none", stroke: "#8888aa", "stroke-width": item.collection ? 2 : 1.2, "marker-end": "url(#arrow)" }, h("title", {}, `${from.name}.${item.name}`));
}
