// The frame around all screens: which one is shown, the classes beside it, keys, and what other programs commit.

import { h, $, fill, visible, toast, ask, number, replace } from "./shared/dom.js";
import { get, post, address, link, place, stopped } from "./shared/api.js";
import { previews } from "./shared/values.js";
import * as realms from "./realms/realms.js";
import * as rows from "./grid/rows.js";
import * as object from "./object/object.js";
import * as schema from "./schema/schema.js";
import * as file from "./file/file.js";

const screens = { rows, object, schema, file };
const tabs = [["rows", "Rows"], ["schema", "Schema"], ["file", "File"]];

/** What all screens share: the realms, the classes of the one that is open, and what may be done with it. */
export const state = { realms: [], realm: null, classes: [], isLive: true, lastClass: {} };
let screen = null;
let former = null;

export const classNamed = (name) => state.classes.find((item) => item.name === name);

async function loadRealms() { state.realms = await get(address("realms")); }

/** The classes of the realm that is open, on their way. */
let loading = null;

async function loadClasses(realm) {
  // While the same realm is read again, what is known of it stays.
  if (state.realm !== realm) state.classes = [];
  state.realm = realm;
  const answer = await get(address("realms", realm, "classes"));
  if (state.realm !== realm) return;
  state.classes = answer.classes;
  state.version = answer.version;
}

/** Who goes on before a screen is there sees only the last one, and the server stops working for the others. */
let turn = 0;
let leaving = new AbortController();

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const here = { ...place(), signal: leaving.signal };
  const own = ++turn;
  screen?.leave?.();
  screen = null;
  $("sidebar").classList.remove("open");
  $("menu").setAttribute("aria-expanded", "false");
  try {
    if (!state.realms.length || here.realm === null) await loadRealms();
    if (here.realm === null && state.realms.length === 1) return location.replace(link(0, "rows"));
    if (here.realm !== null && here.realm !== state.realm) {
      // What is shown of another realm is nothing to click on any more.
      $("main").replaceChildren();
      loading = loadClasses(here.realm);
      previews(here.realm);
    }
    if (here.realm !== null) await loading.catch((error) => { if (here.screen !== "file") throw error; });
    if (own !== turn) return;
    frame(here);
    if (here.realm === null) {
      screen = realms.open($("main"), state);
      return;
    }
    if (!screens[here.screen]) return location.replace(link(here.realm, "rows"));
    if (here.screen === "rows" && !here.rest.length) {
      const last = state.classes.find((item) => item.name === state.lastClass[here.realm]);
      const first = (last ?? state.classes.find((item) => item.kind !== "embedded" && item.objects > 0) ?? state.classes[0])?.name;
      if (first) return location.replace(link(here.realm, "rows", first));
      $("main").replaceChildren(h("div", { class: "empty" }, h("h1", {}, "This realm has no classes"), h("p", {}, "It is empty, or its objects are in tables of another kind: serve --all-tables shows them.")));
      return;
    }
    if (here.screen === "rows" && state.classes.some((item) => item.name === here.rest[0])) state.lastClass[here.realm] = here.rest[0];
    if (former !== null) $("main").focus({ preventScroll: true });
    const opened = await screens[here.screen].open($("main"), here, state);
    if (own !== turn) return opened?.leave?.();
    screen = opened;
  } catch (error) {
    if (error.name === "AbortError" || own !== turn) return;
    frame(here);
    $("main").replaceChildren(h("div", { class: "empty" }, h("h1", {}, "This cannot be shown"),
      h("p", { class: "alarm" }, error.message), error.hint && h("p", {}, error.hint),
      here.realm !== null && h("p", {}, h("a", { href: link(here.realm, "file") }, "What is known of the file"))));
  }
  former = here;
}

function frame(here) {
  const realm = state.realms[here.realm];
  document.title = visible([here.rest?.[0], realm?.file.split("/").at(-1), "realm-cli"].filter(Boolean).join(" – "));
  fill($("realm-name"), realm ? realm.file.split("/").at(-1) : "realm-cli");
  $("realm-name").title = visible(state.realms.length > 1 ? `${realm?.file ?? ""} (back to all realms)` : realm?.file ?? "");
  $("tabs").replaceChildren(...(realm ? tabs : []).map(([name, title], index) =>
    h("a", { href: link(here.realm, name), "aria-current": (here.screen === name || name === "rows" && here.screen === "object") && "page", title: `${title} (${index + 1})` }, title)));
  $("live").hidden = !realm;
  showLive();
  $("menu").hidden = !state.classes.length;
  $("undo").hidden = $("redo").hidden = !realm?.writable;
  showSteps();
  sidebar(here);
  hints([["/", "filter"], ["↑↓ hjkl", "move"], ["Enter", "open"], ["Esc", "back"], ["y", "copy"], ["1–3", "screens"], ["?", "all keys"]]);
}

export function hints(pairs) {
  $("hints").replaceChildren(...pairs.map(([key, text]) => h("span", {}, h("kbd", {}, key), text)));
}

function sidebar(here) {
  const side = $("sidebar");
  if (here.realm === null || !state.classes.length) return side.replaceChildren();
  const old = side.querySelector("input")?.value ?? "";
  const lists = h("div", { style: { overflow: "auto", flex: 1 } });
  const list = () => {
    const wanted = input.value.toLowerCase();
    const entries = (kind) => state.classes.filter((item) => (item.kind === "embedded") === kind && item.name.toLowerCase().includes(wanted)).map((item) =>
      h("li", {}, h("a", { href: link(here.realm, "rows", item.name), "aria-current": here.rest?.[0] === item.name && "page", title: item.name },
        h("span", { dir: "auto" }, item.name || "(no name)"), h("span", { class: "count" }, number(item.objects)))));
    const [own, embedded] = [entries(false), entries(true)];
    lists.replaceChildren(...[own.length && h("ul", { "aria-label": "Classes" }, own), embedded.length && h("h2", {}, "Embedded"), embedded.length && h("ul", { "aria-label": "Embedded classes" }, embedded)].filter(Boolean));
  };
  const input = h("input", { type: "search", placeholder: "Filter classes", "aria-label": "Filter classes", value: old, oninput: list });
  list();
  replace(side, input, lists);
}

// MARK: What others commit

// A browser has six connections to a server, whatever the number of its tabs: one tab listens for all, the next one when it is gone.
// Tabs that are hidden or paused take no part.

const others = new BroadcastChannel("commits");
let listening = null;
function listen() {
  listening?.abort();
  listening = null;
  others.onmessage = null;
  if (!state.isLive || document.hidden) return;
  others.onmessage = (event) => tell(event.data);
  listening = new AbortController();
  const { signal } = listening;
  navigator.locks.request("commits", { signal }, () => new Promise((end) => {
    const events = new EventSource("/api/v1/events");
    const tellAll = (what) => { others.postMessage(what); tell(what); };
    // What was committed while nobody listened.
    events.onopen = () => tellAll({ isConnected: true });
    events.onerror = () => tellAll({ isConnected: false });
    events.onmessage = (event) => tellAll(JSON.parse(event.data));
    signal.onabort = () => { events.close(); end(); };
  })).catch(() => {});
}

let isConnected = true;
/** Why realms cannot be followed, by their numbers. */
const problems = {};

/** Whether commits are followed, whether the server is there to tell of them, and whether it can read the file. */
function showLive() {
  const problem = problems[place().realm];
  const why = !isConnected ? stopped : problem;
  $("live").setAttribute("aria-pressed", String(state.isLive));
  $("live").toggleAttribute("data-lost", why !== undefined);
  $("live").textContent = !state.isLive ? "Paused" : !isConnected ? "Not connected" : problem ? "Not readable" : "Live";
  $("live").title = visible(why ?? "Follow commits of other programs");
}

/** Looks again after a commit; without a realm, where some may have been missed. */
async function tell({ realm, error, isConnected: connected }) {
  isConnected = connected ?? isConnected;
  if (realm !== undefined) problems[realm] = error?.message;
  showLive();
  if (!isConnected || error) return;
  const here = place().realm;
  if (realm === undefined && here !== null) {
    const now = await get(address("realms", here, "classes")).catch(() => null);
    if (!now || now.version === state.version) return;
  } else if (here !== null && realm !== here) return;
  refresh();
}

function listenAgain() {
  listen();
  if (state.isLive && !document.hidden) tell({});
}

const schemaText = () => JSON.stringify(state.classes.map((item) => ({ ...item, objects: null })));

/** Whether an answer is of the schema that is known; if not, all is read again. */
export function isKnownSchema(isSame, version) {
  if (isSame || version === state.version) return true;
  refresh();
  return false;
}

let isRefreshing = false;
let wantsRefresh = false;
export async function refresh() {
  if (isRefreshing) { wantsRefresh = true; return; }
  isRefreshing = true;
  try {
    const before = schemaText();
    if (place().realm === null) await loadRealms();
    else await (loading = loadClasses(state.realm));
    sidebar(place());
    await (schemaText() === before ? screen?.refresh?.() : show());
  } catch (error) {
    // Who has gone on to another screen waits for nothing here.
    if (error.name !== "AbortError") toast(error.message);
  }
  isRefreshing = false;
  if (wantsRefresh) { wantsRefresh = false; refresh(); }
}

/** Makes changes in one transaction; `changes` are JSON texts. */
export async function change(...changes) {
  const answer = await post(address("realms", state.realm, "changes"), `{"changes":[${changes}]}`);
  steps[state.realm] = answer;
  showSteps();
  await refresh();
  return answer;
}

/** What can be undone and done again in each realm, as its last change told. */
const steps = {};

function showSteps() {
  $("undo").disabled = steps[state.realm]?.can_undo === false;
  $("redo").disabled = steps[state.realm]?.can_redo === false;
}

async function step(op) {
  try {
    await change(JSON.stringify({ op }));
    toast(op === "undo" ? "Undone" : "Done again");
  } catch (error) { toast(error.message); }
}

// MARK: Keys

const keyList = [["/", "condition or statement"], ["↑ ↓ ← →, h j k l", "move"], ["g  G", "first, last row"], ["Ctrl-d  Ctrl-u", "half a screen"], ["Enter", "open the object or link"], ["Esc", "back"], ["s", "sort by the column"], ["i", "summary of the column"], ["y", "copy the value"], ["Space", "the whole value"], ["[ ]  < >", "move the column, make it narrower or wider"], ["e", "edit"], ["n", "new object"], ["Shift ↑ ↓", "select several"], ["Delete", "delete what is selected"], ["u  r", "undo, redo"], ["Ctrl-s", "save in a dialog"], ["p", "pause or follow commits"], ["1–3", "rows, schema, file"], ["?", "this help"]];

const examples = ["age > 30 AND name BEGINSWITH[c] 'a'", "owner.name == 'Ada'", "tags.@count > 2", "ANY dogs.age < 3", "born > 2020-01-31", "name == nil", "count Person where age > 30", "select name, count(*) from Person group by name"];

function help() {
  const list = (pairs) => h("div", { class: "keys" }, pairs.flatMap(([key, text]) => [h("span", {}, h("kbd", {}, key)), h("span", {}, text)]));
  return h("div", {}, h("h2", {}, "Keys"), list(keyList), h("h2", {}, "Conditions and statements"), h("pre", {}, examples.join("\n")));
}

addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !event.target.closest?.("dialog[open]") && screen?.stop?.()) return event.preventDefault();
  if (event.target.closest?.("input, textarea, select, dialog[open]")) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (event.altKey || event.metaKey) return;
  if (screen?.key?.(event)) return event.preventDefault();
  if (event.ctrlKey) return;
  const here = place();
  const number = Number(event.key);
  if (here.realm !== null && number >= 1 && number <= tabs.length) location.hash = link(here.realm, tabs[number - 1][0]);
  else if (event.key === "?") ask("Help", help());
  // The first screen has nothing of this page behind it, but maybe another page.
  else if (event.key === "Escape") { if (window.navigation?.canGoBack !== false) history.back(); }
  else if (event.key === "p") $("live").click();
  else if (event.key === "u" && !$("undo").hidden && !$("undo").disabled) step("undo");
  else if (event.key === "r" && !$("redo").hidden && !$("redo").disabled) step("redo");
  else return;
  event.preventDefault();
});

$("menu").onclick = () => {
  const isOpen = $("sidebar").classList.toggle("open");
  $("menu").setAttribute("aria-expanded", String(isOpen));
};
$("undo").onclick = () => step("undo");
$("redo").onclick = () => step("redo");
$("live").onclick = () => {
  state.isLive = !state.isLive;
  showLive();
  listenAgain();
};
addEventListener("visibilitychange", listenAgain);
addEventListener("hashchange", show);
show().then(listen);
