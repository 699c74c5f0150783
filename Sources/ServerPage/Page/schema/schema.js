// The schema: a diagram of classes and links, and the statements that would make it.

import { h } from "../shared/dom.js";
import { get, address } from "../shared/api.js";
import { diagram } from "./diagram.js";

export async function open(main, here, state) {
  const box = h("div", { class: "page" });
  main.replaceChildren(box);
  async function fill() {
    const found = await get(address("realms", here.realm, "schema"));
    const picture = state.classes.length ? diagram(here.realm, state.classes) : null;
    box.replaceChildren(h("div", { class: "title" }, h("h1", {}, "Schema"), found.schema_version !== null && h("span", { class: "soft" }, `version ${found.schema_version}`),
      picture && h("button", { onclick: picture.fit }, "Fit"), picture && h("button", { onclick: picture.save }, "Save as SVG")),
      picture ? picture.element : h("p", { class: "soft" }, "no classes"),
      h("h2", {}, "Definitions"), h("pre", { class: "statement", tabindex: 0, "aria-label": "Definitions" }, found.statements || "-- nothing is defined\n"));
    picture?.fit();
  }
  await fill();
  return { refresh: fill };
}
