// Sizes as areas: rows of rectangles, each row as near to squares as it gets ("squarified").

import { h, bytes, number } from "../shared/dom.js";

const colours = ["#9db4ff", "#ffc59e", "#9fe0bd", "#f3a9c3", "#d4c0ff", "#f5e08a", "#a5dbe8", "#d9c7ab"];

export function treemap(parts) {
  const groups = [...new Set(parts.map((part) => part.group))];
  const sorted = [...parts].sort((left, right) => right.size - left.size);
  const shown = sorted.slice(0, 120);
  const element = h("div", { class: "treemap", role: "img", "aria-label": `Space: ${shown.slice(0, 5).map((part) => `${label(part)} ${bytes(part.size)}`).join(", ")}` });
  const rectangles = squarify(shown.map((part) => part.size), 100, 100, 2.6);
  element.append(...shown.map((part, index) => {
    const { x, y, width, height } = rectangles[index];
    return h("div", {
      title: `${label(part)}: ${number(part.size)} bytes`,
      style: { left: `${x}%`, top: `${y}%`, width: `${width}%`, height: `${height}%`, background: part.group ? colours[groups.indexOf(part.group) % colours.length] : "#cfcfd8" },
    }, width > 3 && height > 6 && h("span", {}, part.group && [`${part.group}.`, h("wbr")], part.name, h("br"), bytes(part.size)));
  }));
  const details = h("details", {}, h("summary", {}, "As a table"), h("table", { class: "findings" }, h("tbody", {}, sorted.map((part) => h("tr", {}, h("td", {}, label(part)), h("td", {}, bytes(part.size)))))));
  return h("div", {}, element, details);
}

const label = (part) => (part.group ? `${part.group}.${part.name}` : part.name);

/** Rectangles for sizes that fall, in percent of a box that is `ratio` times as wide as high. */
function squarify(sizes, width, height, ratio) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const area = (width * ratio * height) / total;
  const result = [];
  let box = { x: 0, y: 0, width: width * ratio, height };
  let index = 0;
  while (index < sizes.length) {
    const side = Math.min(box.width, box.height);
    let sum = 0;
    let end = index;
    let worst = Infinity;
    while (end < sizes.length) {
      const next = sum + sizes[end] * area;
      const [most, least] = [sizes[index] * area, sizes[end] * area];
      const ratioNow = Math.max((side * side * most) / (next * next), (next * next) / (side * side * least));
      if (ratioNow > worst) break;
      worst = ratioNow;
      sum = next;
      end++;
    }
    const thickness = side > 0 ? sum / side : 0;
    let offset = 0;
    for (; index < end; index++) {
      const length = thickness > 0 ? (sizes[index] * area) / thickness : 0;
      const isTall = box.width >= box.height;
      result.push(isTall ? { x: box.x / ratio, y: box.y + offset, width: thickness / ratio, height: length } : { x: (box.x + offset) / ratio, y: box.y, width: length / ratio, height: thickness });
      offset += length;
    }
    if (box.width >= box.height) box = { x: box.x + thickness, y: box.y, width: box.width - thickness, height: box.height };
    else box = { x: box.x, y: box.y + thickness, width: box.width, height: box.height - thickness };
  }
  return result;
}
