// The schema: a diagram of classes and links, and the classes as statements that would make them or in a language of the SDKs.

import { h, fill as put, saveAs, toast } from "../shared/dom.js";
import { get, address } from "../shared/api.js";
import { diagram } from "./diagram.js";

const titles = { swift: "Swift", objc: "Objective-C", kotlin: "Kotlin", java: "Java", javascript: "JavaScript", typescript: "TypeScript", csharp: "C#", dart: "Dart", cpp: "C++" };

export async function open(main, here, state) {
  const box = h("div", { class: "page" });
  main.replaceChildren(box);
  let known = "";
  async function fill() {
    const found = await get(address("realms", here.realm, "schema"), here.signal);
    // A commit that leaves the schema as it is moves nothing here.
    if (known === JSON.stringify(found)) return;
    known = JSON.stringify(found);
    const picture = state.classes.length ? diagram(here.realm, state.classes) : null;
    put(box, h("div", { class: "title" }, h("h1", {}, "Schema"), found.schema_version !== null && h("span", { class: "soft" }, `version ${found.schema_version}`),
      picture && h("button", { onclick: picture.fit }, "Fit"), picture && h("button", { onclick: picture.save }, "Save as SVG")),
      picture ? picture.element : h("p", { class: "soft" }, "no classes"), definitions(here.realm, found));
    picture?.fit();
  }
  await fill();
  return { refresh: fill };
}

function definitions(realm, found) {
  const text = h("pre", { class: "statement", tabindex: 0, "aria-label": "Definitions" });
  let suffix = ".txt";
  const language = h("select", { "aria-label": "Language of the definitions", onchange: show },
    h("option", { value: "" }, "Statements"), found.languages.map((name) => h("option", { value: name }, titles[name] ?? name)));
  const kept = localStorage.getItem("language") ?? "";
  language.value = found.languages.includes(kept) ? kept : "";

  async function show() {
    localStorage.setItem("language", language.value);
    try {
      const written = language.value ? await get(address("realms", realm, "code", { language: language.value }))
        : { code: found.statements || "-- nothing is defined\n", suffix: ".txt" };
      suffix = written.suffix;
      put(text, written.code);
    } catch (error) { put(text, error.message); }
  }
  show();
  return [h("div", { class: "title code" }, h("h2", {}, "Definitions"), language,
    h("button", { onclick: () => navigator.clipboard?.writeText(text.textContent).then(() => toast("Copied")) }, "Copy"),
    h("button", { onclick: () => saveAs(new Blob([text.textContent]), `schema${suffix}`) }, "Save")), text];
}
