// The table of codes, of which only the rows in sight are made.
import { ask } from "./engine.js";
import { make, field, input, select, show, fill } from "./dom.js";
import { state, change } from "./state.js";

const ROW = 28, BEYOND = 12;
const CLASSES = ["nan", "negative_infinity", "negative_normal", "negative_subnormal", "zero", "positive_subnormal", "positive_normal", "positive_infinity"];

export function buildTable(root) {
  const find = input((value) => change({ find: value }), { type: "search", placeholder: "0x3c, 1.5, 0.0111…" });
  const kind = select([["", "all classes"], ...CLASSES.map((name) => [name, name.replaceAll("_", " ")])], (value) => change({ class: value }));
  const count = make("p", { class: "quiet", role: "status", id: "table-count" });
  const body = make("tbody");
  const head = make("tr", { "aria-rowindex": 1 }, ...[["code", ""], ["bits", ""], ["form", "narrow-out"], ["value", "narrow-out"], ["decimal", ""], ["class", ""]].map(([text, type]) => make("th", { scope: "col", class: type, text })));
  const table = make("table", { "aria-label": "Table of codes" }, make("thead", {}, head), body);
  const space = make("div");
  const scroller = make("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Table of codes, scrolls", id: "codes" }, space, table);
  root.append(make("h2", { text: "Table of codes" }), make("div", { class: "fields" }, field("Filter", "find", find, true), field("Class", "class", kind)), count, scroller);
  let found, asked, format;

  const codeAt = (index) => (found.codes ? found.codes[index] : index);
  function draw() {
    if (!found) return;
    const total = found.codes ? found.codes.length : found.all;
    const first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - BEYOND);
    const last = Math.min(total, first + Math.ceil(scroller.clientHeight / ROW) + 2 * BEYOND);
    const codes = [];
    for (let index = first; index < last; index++) codes.push(`0x${codeAt(index).toString(16)}`);
    const { rows } = codes.length ? ask({ ask: "rows", format, codes }) : { rows: [] };
    fill(body, make("tr", { "aria-hidden": "true", style: `height:${first * ROW}px` }), ...rows.map((row, at) => {
      const ordinary = row.class.endsWith("normal");
      const cells = [row.bits, row.form, row.value, row.decimal, row.class.replaceAll("_", " ") + (row.canonical ? "" : " (not canonical)")];
      return make("tr", { "aria-rowindex": first + at + 2, "data-code": row.code, "aria-current": row.code === state.code ? "true" : undefined, class: (row.code === state.code ? "chosen " : "") + (ordinary ? "" : "special"), onclick: () => change({ code: row.code }) },
        make("th", { scope: "row", class: "code", text: row.code }),
        ...cells.map((text, column) => make("td", { class: `${column < 3 ? "code" : ""} ${column === 1 || column === 2 ? "narrow-out" : ""}`, text })));
    }));
  }
  scroller.addEventListener("scroll", draw);

  return (shown) => {
    show(find, shown.find);
    kind.value = shown.class;
    const key = JSON.stringify([shown.format, shown.find, shown.class]);
    if (key !== asked) {
      asked = key;
      format = shown.format;
      try {
        found = ask({ ask: "find", format, text: shown.find, classes: shown.class ? [shown.class] : [] });
      } catch (error) {
        found = undefined;
        scroller.hidden = true;
        count.textContent = error.message;
        return;
      }
      scroller.hidden = false;
      scroller.scrollTop = 0;
    }
    if (!found) return;
    const total = found.codes ? found.codes.length : found.all;
    count.textContent = `${total.toLocaleString("en")} ${total === 1 ? "code" : "codes"}`;
    table.setAttribute("aria-rowcount", total + 1);
    space.style.height = `${(total + 1) * ROW}px`;
    draw();
  };
}
