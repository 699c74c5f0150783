// The realms that are served: a card each.

import { h, bytes, counted } from "../shared/dom.js";
import { link } from "../shared/api.js";
import { moment } from "../shared/values.js";

export function open(main, state) {
  const show = () => main.replaceChildren(h("div", { class: "page" }, h("h1", {}, counted(state.realms.length, "realm", "realms")),
    h("div", { class: "cards" }, state.realms.map(card))));
  show();
  return { refresh: show };
}

function card(realm) {
  const objects = realm.classes?.reduce((sum, item) => sum + item.objects, 0);
  const facts = [
    realm.file_format !== undefined && ["Format", realm.file_format],
    realm.size_bytes !== undefined && ["Size", bytes(realm.size_bytes)],
    realm.classes && ["Holds", `${counted(realm.classes.length, "class", "classes")}, ${counted(objects, "object", "objects")}`],
    realm.modified && ["Changed", moment(realm.modified)],
    realm.encrypted && ["Encrypted", "yes"],
    realm.schema_version !== undefined && realm.schema_version !== null && ["Schema", realm.schema_version],
  ].filter(Boolean);
  return h("a", { class: "card", href: link(realm.realm, realm.error ? "file" : "rows") },
    h("strong", { title: realm.file }, realm.file.split("/").at(-1)), realm.file.includes("/") && h("small", { class: "soft" }, realm.file.slice(0, realm.file.lastIndexOf("/") + 1)), realm.error && h("p", { class: "alarm" }, realm.error.message.replace(`${realm.file} – `, "")),
    h("dl", {}, facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, String(value))])));
}
