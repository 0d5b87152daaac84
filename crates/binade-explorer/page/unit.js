// A dot product on a matrix unit, step by step: bits of terms in columns, those that the unit cuts struck out.
import { ask } from "./engine.js";
import { make, field, input, select, show, fill, attempt, command } from "./dom.js";
import { change } from "./state.js";

const EXAMPLES = [["ones", "All ones"], ["tiny", "1 and tiny numbers"], ["cancellation", "Cancellation"], ["large", "One large number"], ["random", "Random"]];

const lowered = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const product = (place) => `a${lowered(place + 1)}b${lowered(place + 1)}`;

// The name of a term; `names` has those of the alignments before it.
function nameOf(source, count, names) {
  if (source === "accumulator") return "accumulator";
  if (source === "zero") return "0";
  if (source.alignment !== undefined) return names[source.alignment];
  if (source.rounding !== undefined) return `sum ${source.rounding + 1}`;
  return count > 1 ? `${product(source.product)} … ${product(source.product + count - 1)}` : product(source.product);
}

// A number as bits in columns: its sign, then bits that are kept, and bits that are cut.
function bitsOf(negative, { pad, kept, cut, more }, edge) {
  const zero = kept === "" && cut === "";
  const cutBits = cut === "" && !more ? undefined : make("s", { text: cut + (more ? "…" : "") });
  return make("td", { class: "code bits", style: edge === undefined ? undefined : `--edge:${edge}ch` }, zero ? " 0" : `${negative ? "−" : "+"}${" ".repeat(pad)}${kept}`, cutBits);
}

function alignmentTable(alignment, title, names, answer) {
  const { top, exponent, last_bit: last } = alignment;
  // The column after the last bit that is kept of a term, past the sign.
  const edge = last === null ? undefined : top - last + 2;
  const row = (key, name, about, exponentText, bits, value, chosen) => make("tr", { "data-row": key, class: chosen ? "chosen" : "" },
    make("th", { scope: "row", text: name }), make("td", { class: "code about", text: about }), make("td", { class: "number", text: exponentText }), bits, make("td", { class: "number value", text: value }));
  const rows = alignment.rows.map(({ source, count, operands, negative, exponent: own, exact, kept, bits, is_cut: isCut }) => row(
    isCut ? "cut" : "whole", nameOf(source, count, names), operands ? operands.join(" · ") : exact.value, own === null ? "–" : String(own), bitsOf(negative, bits, edge),
    isCut ? `${exact.decimal} → ${kept.decimal}` : kept.decimal));
  const { sum, result } = alignment;
  rows.push(row("sum", result ? "exact sum" : "sum", sum.exact.value, "", bitsOf(sum.negative, sum.bits, edge), sum.exact.decimal, true));
  if (result) rows.push(row("result", "rounded", answer.result.value, "", bitsOf(result.negative, result.bits, edge), answer.result.decimal, true));
  const head = [["term", ""], ["operands", "about"], ["exponent", ""], ["bits", ""], ["value", ""]].map(([text, kind]) => make("th", { scope: "col", class: kind, text }));
  const kept = last === null ? "nothing is cut" : `bits below 2^${last} are cut`;
  return [make("h3", { text: title }), make("p", { class: "quiet" }, make("b", { class: "code", text: `E = ${exponent}` }), `: the left column is 2^${top}; ${kept}.`),
    make("div", { class: "wide" }, make("table", { class: "columns" }, make("caption", { class: "visually-hidden", text: `${title}: terms, their bits and their sum` }), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)))];
}

// Titles of a step's alignments, and the names that later ones have for their sums.
function titles(count) {
  if (count === 1) return [["Products and accumulator", "sum"]];
  const last = ["The sum of products and the accumulator", "sum"];
  if (count === 2) return [["Products", "sum of products"], last];
  return [["Products of odd number", "first sum"], ["Products of even number", "second sum"], ["Both sums", "sum of products"], last].slice(0, count);
}

function roundings(sums) {
  const rows = sums.map(({ terms, exact, rounded, error }, at) => make("tr", { class: at + 1 === sums.length ? "chosen" : "" }, make("th", { scope: "row", class: "whole", text: at + 1 === sums.length ? "result" : `sum ${at + 1}` }),
    make("td", { class: "whole", text: terms.map((term) => nameOf(term, 1, [])).join(" + ") }), make("td", { class: "code", text: exact.value }), make("td", {}, make("span", { class: "code", text: rounded.value }), make("br"), rounded.decimal), make("td", { class: "code", text: error })));
  const head = ["sum", "of", "exact", "rounded to f32", "error"].map((text) => make("th", { scope: "col", text }));
  return [make("h3", { text: "Rounded sums" }), make("div", { class: "wide" }, make("table", {}, make("caption", { class: "visually-hidden", text: "Sums of the step, each rounded" }), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)))];
}

function stepOf(answer) {
  const { alignments, roundings: sums } = answer;
  const named = titles(alignments.length), names = named.map(([, name]) => name);
  const pictures = alignments.flatMap((alignment, at) => alignmentTable(alignment, named[at][0], names, answer));
  const special = alignments.length === 0 && sums.length === 0 ? [make("p", { text: "A term is infinite or NaN, and decides the result." })] : [];
  const after = answer.step === answer.steps ? "" : ": the next step's accumulator";
  return [...pictures, ...(sums.length ? roundings(sums) : []), ...special,
    make("p", {}, "Result ", make("b", { class: "code", id: "unit-step-result", text: answer.result.value }), ` = ${answer.result.decimal}, code ${answer.result.code} of ${answer.accumulator_format}${after}.`)];
}

const ENDS = {
  unit: (answer) => answer.operator, exact: () => "exact", nearest: (answer) => `exact, rounded once to ${answer.accumulator_format}`,
  in_order: () => "binary32: multiply-adds in order", tree: () => "binary32: products in a tree of sums",
};

function endsOf(answer) {
  const rows = answer.ends.map(({ name, value, decimal, ulps }) => make("tr", { "data-end": name, class: name === "unit" ? "chosen" : "" }, make("th", { scope: "row", text: ENDS[name](answer) }),
    make("td", { class: "code", text: value }), make("td", { text: decimal }), make("td", { class: "number", text: ulps === null ? "–" : String(Number(ulps.toPrecision(4))) })));
  const head = ["sum", "value", "decimal", "error in ulps"].map((text) => make("th", { scope: "col", text }));
  return make("div", { class: "wide" }, make("table", { id: "unit-ends" }, make("caption", { class: "visually-hidden", text: "The whole dot product beside the exact one" }), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows)));
}

export function unitView(root) {
  const { units } = ask({ ask: "units" });
  const restart = (changes) => change({ step: "1", ...changes });
  const unit = select(units.map(({ name, about }) => [name, `${name}: ${about}`]), (name) => restart({ arith: units.find((one) => one.name === name).modes[0].operator }));
  const mode = make("select", { onchange: () => restart({ arith: mode.value }) });
  const operator = input((value) => restart({ arith: value }), { list: "unit-operators" });
  const examples = EXAMPLES.map(([key, text]) => make("button", { type: "button", text, "data-example": key, onclick: () => restart({ example: key }) }));
  const seed = input((value) => restart({ seed: value, example: "random" }), { type: "number", min: 0, max: 2 ** 53 - 1 });
  const operands = [["ua", "a: numbers, as in 1, 0*15, 0x1p-13*16"], ["ub", "b: as many numbers"], ["uc", "Accumulator"]].map(([key, label]) => {
    const control = input(() => restart({ example: "", ...Object.fromEntries(operands.map((one) => [one.key, one.control.value])) }));
    return { key, label, control };
  });
  let steps = 1, step = 1;
  const go = (to) => change({ step: String(Math.min(steps, Math.max(1, to))) });
  const previous = make("button", { type: "button", id: "unit-previous", text: "← Previous", onclick: () => go(step - 1) });
  const next = make("button", { type: "button", id: "unit-next", text: "Next →", onclick: () => go(step + 1) });
  const slider = make("input", { type: "range", id: "unit-step", min: 1, "aria-label": "Step", oninput: () => go(Number(slider.value)) });
  const about = make("div", { id: "unit-about" }), where = make("p", { id: "unit-where", "aria-live": "polite" }), shownStep = make("div", { id: "unit-shown" }), ends = make("div", { id: "unit-result" });
  const section = make("section", {},
    make("h2", { text: "A dot product on a matrix unit" }), make("p", { class: "quiet", text: "c + a₁b₁ + a₂b₂ + … as a tensor core or matrix core adds it: a few products a step, with the bits that it keeps and those that it cuts." }),
    make("datalist", { id: "unit-operators" }, ...units.flatMap((one) => one.modes.map(({ operator: value }) => make("option", { value })))),
    make("div", { class: "fields" }, field("Unit", "unit", unit), field("Input format and result", "unit-mode", mode), field("Or as the command takes it: UNIT:FORMAT", "arith", operator, true)), about,
    make("div", { class: "fields", role: "group", "aria-label": "Examples" }, ...examples, field("Seed of the random one", "unit-seed", seed)),
    make("div", { class: "fields" }, ...operands.map(({ key, label, control }) => field(label, key, control, key !== "uc"))),
    make("h2", { text: "Step by step" }), make("div", { class: "fields" }, previous, next, slider), where, shownStep, make("h2", { text: "The whole sum" }), ends);
  section.addEventListener("keydown", (event) => {
    if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 1, End: steps }[event.key];
    if (to === undefined) return;
    go(to);
    event.preventDefault();
  });
  root.append(section);
  let listed;
  return (shown) => {
    show(operator, shown.arith);
    show(seed, shown.seed);
    const chosen = units.find((one) => one.modes.some(({ operator: value }) => value === shown.arith)) ?? units.find((one) => shown.arith.startsWith(`${one.name}:`));
    if (listed !== chosen) {
      listed = chosen;
      fill(mode, ...(chosen ?? { modes: [] }).modes.map(({ operator: value, name }) => make("option", { value, text: name })));
    }
    unit.value = chosen?.name ?? "";
    mode.value = shown.arith;
    for (const button of examples) button.setAttribute("aria-pressed", String(button.dataset.example === shown.example));
    const works = attempt(about, () => {
      const { a, b, c } = shown.example === "" ? { a: shown.ua, b: shown.ub, c: shown.uc } : ask({ ask: "unit_example", operator: shown.arith, example: shown.example, seed: Number(shown.seed) || 0 });
      [a, b, c].forEach((text, at) => show(operands[at].control, text));
      const answer = ask({ ask: "unit_dot", operator: shown.arith, a, b, c, step: Number(shown.step) || 1 });
      ({ steps, step } = answer);
      slider.max = steps;
      slider.value = step;
      slider.setAttribute("aria-valuetext", `step ${step} of ${steps}`);
      // Not `disabled`, which would take the focus and the arrow keys with it.
      previous.setAttribute("aria-disabled", String(step === 1));
      next.setAttribute("aria-disabled", String(step === steps));
      const products = answer.end === answer.first ? "no products" : answer.end === answer.first + 1 ? product(answer.first) : `${product(answer.first)} to ${product(answer.end - 1)}`;
      fill(where, make("b", { text: `Step ${step} of ${steps}` }), `: ${products}; the accumulator is ${answer.accumulator.decimal}.`);
      fill(shownStep, ...stepOf(answer));
      fill(ends, endsOf(answer), command(["binade", "matmul", "A.npy", "B.npy", "--arith", answer.operator]));
      const changed = answer.rounded.map((count, at) => count && `${count} of ${answer.count} numbers of ${"ab"[at]}`).filter(Boolean).join(" and ");
      return [make("p", {}, make("b", { text: answer.about }), `: ${answer.step_about} The result has ${answer.result_about}.${answer.flushes ? " Subnormal numbers are zeros." : ""}`),
        make("p", { class: "quiet", text: answer.known }), changed ? make("p", { class: "warning", id: "unit-rounded", text: `${changed} are rounded to the unit's format.` }) : undefined].filter(Boolean);
    });
    if (!works) for (const part of [where, shownStep, ends]) fill(part);
  };
}
