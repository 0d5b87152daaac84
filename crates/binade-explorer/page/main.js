// The page: the choice of a format, and one view at a time.
import { ask, give, started } from "./engine.js";
import { make, field, input, select, show, fill, attempt } from "./dom.js";
import { change, read, watch, tell, address } from "./state.js";
import { formatView, roundView, operateView, multiplyAddView } from "./views.js";
import { compareView } from "./compare.js";
import { unitView } from "./unit.js";

const VIEWS = [["format", "Format", formatView], ["round", "Round a value", roundView], ["operate", "Operate", operateView], ["compare", "Compare", compareView], ["fma", "Multiply-add", multiplyAddView], ["unit", "Matrix unit", unitView]];

const CHOICES = [["signed", ["yes", "no"]], ["infinities", ["no", "yes"]], ["nan", ["none", "ieee", "all_ones", "negative_zero"]], ["negative_zero", ["yes", "no"]], ["subnormals", ["ieee", "tesla", "flush", "none"]]];

// The form of a format of one's own; `update` shows a format's fields in it.
function describer(root) {
  const controls = {};
  const describe = () => {
    const words = Object.entries(controls).map(([key, control]) => `${key}=${control.value}`);
    change({ format: `custom@${words.join(",")}`, code: "", from: "", to: "" });
  };
  for (const [key, min, max] of [["width", 3, 64], ["precision", 1, 53], ["bias", -131072, 131072]]) controls[key] = input(describe, { type: "number", min, max });
  for (const [key, values] of CHOICES) controls[key] = select(values.map((value) => [value, value.replaceAll("_", " ")]), describe);
  root.append(...Object.entries(controls).map(([key, control]) => field(key.replaceAll("_", " "), `describe-${key}`, control)));
  return ({ properties, nan }) => {
    const text = (value) => (value === true ? "yes" : value === false ? "no" : String(value));
    for (const [key, control] of Object.entries(controls)) show(control, key === "nan" ? nan : text(properties[key]));
  };
}

function about({ name, properties: p, same, edition }) {
  const bits = [p.signed ? "a sign" : "no sign", `${p.exponent_bits} exponent ${p.exponent_bits === 1 ? "bit" : "bits"}`, `${p.precision - 1} trailing significand ${p.precision === 2 ? "bit" : "bits"}`];
  const specials = [p.infinities && "infinities", p.nan_codes.length ? "NaN" : "no NaN", p.negative_zero && "−0"].filter(Boolean);
  const sentence = `${name}${same === name ? "" : ` (= ${same})`}: ${p.width} bits: ${bits.join(", ")}; bias ${p.bias}; largest value ${p.max_finite[1]}; ${specials.join(", ")}.`;
  return edition === "4.0" ? `${sentence} Computed by the definitions of P3109 4.0.` : sentence;
}

await started;
const format = document.getElementById("format"), main = document.getElementById("main"), nav = document.getElementById("views");
const status = document.getElementById("format-about"), details = document.getElementById("describe");
const describeFields = describer(document.getElementById("describe-fields"));
const { formats } = ask({ ask: "formats" });
document.getElementById("formats").append(...formats.map((row) => make("option", { value: row.bias === null ? `${row.name}@bias=7` : row.name, label: `${row.width} bits, ${row.source}` })));
format.addEventListener("input", () => change({ format: format.value, code: "", from: "", to: "" }));
const links = VIEWS.map(([key, name]) => make("a", { text: name, "data-view": key }));
nav.append(...links);

let shownView, update;
watch((shown) => {
  show(format, shown.format);
  attempt(status, () => {
    const answer = ask({ ask: "show", format: shown.format });
    // Not while somebody types there.
    if (!details.contains(document.activeElement)) describeFields(answer);
    return [about(answer)];
  });
  format.setAttribute("aria-invalid", String(status.querySelector(".bad") !== null));
  const view = VIEWS.find(([key]) => key === shown.view) ?? VIEWS[0];
  for (const link of links) {
    link.href = address({ view: link.dataset.view });
    link.toggleAttribute("aria-current", false);
    if (link.dataset.view === view[0]) link.setAttribute("aria-current", "page");
  }
  if (shownView !== view[0]) {
    shownView = view[0];
    fill(main);
    document.title = `${view[1]} · binade format explorer`;
    update = view[2](main);
  }
  update(shown);
});
addEventListener("hashchange", read);
addEventListener("resize", tell);
read();
document.documentElement.dataset.ready = String(Math.round(performance.now()));
// For those who ask by program, as the checks do.
window.binadeExplorer = { ask, give };
