// The line for a condition or a statement: completion with Tab, mistakes with carets, what was asked before with the arrows.

import { h } from "../shared/dom.js";
import { get, address } from "../shared/api.js";

/** Whether a text is a statement, and no condition on the class. */
export async function isStatement(realm, className, text, signal) {
  return text.trim() !== "" && (await get(address("realms", realm, "line", { class: className, text }), signal)).kind === "statement";
}

const historyKey = "history";
const past = () => { try { return JSON.parse(localStorage.getItem(historyKey)) ?? []; } catch { return []; } };

export function queryLine(realm, className, text, onRun) {
  let at = -1;
  let choices = null;
  const wrong = h("div", { class: "wrong", role: "alert" });
  const list = h("ul", { class: "choices", role: "listbox", id: "choices", hidden: true });
  const input = h("input", {
    value: text, placeholder: `condition on ${className}, or: select …`, "aria-label": "Condition or statement", spellcheck: "false",
    autocomplete: "off", autocapitalize: "off", role: "combobox", "aria-controls": "choices", "aria-expanded": "false",
    onkeydown: (event) => key(event), oninput: () => { hide(); wrong.replaceChildren(); }, onblur: () => setTimeout(hide, 150),
  });

  function hide() {
    list.hidden = true;
    choices = null;
    input.setAttribute("aria-expanded", "false");
  }

  function run() {
    hide();
    wrong.replaceChildren();
    const text = input.value.trim();
    if (text) localStorage.setItem(historyKey, JSON.stringify([text, ...past().filter((item) => item !== text)].slice(0, 100)));
    at = -1;
    onRun(text);
  }

  async function complete() {
    const before = input.value.slice(0, input.selectionStart);
    const complete = async () => get(address("realms", realm, "complete", { class: await isStatement(realm, className, before) ? "" : className, text: before || " " }));
    const found = await complete().catch(() => null);
    if (!found) return;
    if (found.insertion) replace(found.replaced, found.insertion);
    else if (found.choices.length) {
      const stem = before.match(/[\w@$`]*$/)[0].length;
      choices = { stem, index: 0, texts: found.choices };
      drawChoices();
    }
  }

  function replace(count, text) {
    const end = input.selectionStart;
    input.setRangeText(text, end - count, end, "end");
    hide();
  }

  function drawChoices() {
    list.replaceChildren(...choices.texts.map((text, index) => h("li", {
      role: "option", id: `choice-${index}`, "aria-selected": String(index === choices.index),
      onmousedown: (event) => { event.preventDefault(); replace(choices.stem, text); },
    }, text)));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-activedescendant", `choice-${choices.index}`);
    list.children[choices.index].scrollIntoView({ block: "nearest" });
  }

  function key(event) {
    const earlier = past();
    if (event.key === "Tab" && !event.shiftKey && input.value.trim()) { event.preventDefault(); if (choices) replace(choices.stem, choices.texts[choices.index]); else complete(); }
    else if (event.key === " " && event.ctrlKey) { event.preventDefault(); complete(); }
    else if (choices && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      choices.index = (choices.index + (event.key === "ArrowDown" ? 1 : choices.texts.length - 1)) % choices.texts.length;
      drawChoices();
    } else if (choices && event.key === "Enter") { event.preventDefault(); replace(choices.stem, choices.texts[choices.index]); }
    else if (choices && event.key === "Escape") { event.stopPropagation(); hide(); }
    else if (event.key === "Enter") run();
    else if (event.key === "ArrowUp" && at + 1 < earlier.length) { event.preventDefault(); input.value = earlier[++at]; }
    else if (event.key === "ArrowDown" && at >= 0) { event.preventDefault(); at--; input.value = at < 0 ? "" : earlier[at]; }
  }

  /** Shows a mistake under the place that it is about. */
  function complain(error) {
    const caret = h("span", {}, error.column ? `${" ".repeat(error.column - 1)}${"^".repeat(Math.max(1, error.length ?? 1))}` : "");
    wrong.replaceChildren(caret, error.column ? "\n" : "", h("span", { class: "why" }, error.message, error.hint ? ` – ${error.hint}` : ""));
    // In a line longer than its field, the place is brought into view.
    input.scrollLeft = error.column ? Math.max(0, caret.offsetWidth - input.clientWidth / 2) : 0;
    caret.style.marginLeft = `${-input.scrollLeft}px`;
  }

  /** What a text that has run probably does not mean. */
  const warn = (texts) => wrong.replaceChildren(...texts.map((text) => h("div", { class: "why" }, text)));

  return { element: h("div", { class: "line" }, input, list, wrong), input, complain, warn, run };
}
