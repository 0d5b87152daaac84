// The views but the comparison: a format, a rounding, an operation, a multiply-add.
import { ask } from "./engine.js";
import { make, field, input, select, show, fill, attempt, command, named } from "./dom.js";
import { state, change } from "./state.js";
import { modesOf, modeFields, modeWords, modeGrid } from "./modes.js";
import { buildLine } from "./line.js";
import { buildTable } from "./table.js";

const yes = (value) => (value === true ? "yes" : value === false ? "no" : value);

export function propertyText(value) {
  if (value === null) return "none";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(" = ");
  return String(yes(value));
}

export function formatView(root) {
  const facts = make("div");
  root.append(make("h2", { text: "What it holds" }), facts);
  const line = buildLine(root), table = buildTable(root);
  return (shown) => {
    attempt(facts, () => {
      const { properties, specials, name } = ask({ ask: "show", format: shown.format });
      const rows = Object.entries(properties).map(([key, value]) => {
        const text = key === "nan_codes" ? value.join(" ") || "none" : propertyText(value);
        return make("tr", { "data-property": key }, make("th", { scope: "row", text: key.replaceAll("_", " ") }), make("td", { class: "code", text }));
      });
      const chips = specials.map((special) => make("li", {}, make("button", { type: "button", onclick: () => change({ code: special.code }) }, `${special.what}: `, make("span", { class: "code", text: special.codes }))));
      return make("div", { class: "beside" },
        make("div", { class: "wide" }, make("table", {}, make("caption", { class: "visually-hidden", text: `Properties of ${name}` }), make("tbody", {}, ...rows))),
        make("div", {}, make("h3", { text: "Special values" }), make("ul", { class: "fields plain" }, ...chips), command(["binade", "show", name])));
    });
    line(shown);
    table(shown);
  };
}

// The neighbours of a value and its place between them.
function neighbours({ lower, upper, nu }) {
  const x = 40 + nu * 320;
  const end = (at, { decimal, code, even }) => [
    make("line", { class: "cursor", x1: at, x2: at, y1: 18, y2: 42 }),
    make("text", { x: at, y: 12, "text-anchor": "middle", text: decimal }),
    make("text", { x: at, y: 58, "text-anchor": "middle", text: `${code ?? "beyond"}${even ? ", even" : ""}` }),
  ];
  return make("svg", { viewBox: "0 0 400 66", style: "max-width:30rem", role: "img", "aria-label": `Between ${lower.decimal} and ${upper.decimal}, ${(nu * 100).toFixed(2)} % of the way` },
    make("line", { class: "rule", x1: 40, x2: 360, y1: 30, y2: 30 }), make("line", { class: "rule", x1: 200, x2: 200, y1: 24, y2: 36 }), ...end(40, lower), ...end(360, upper), make("circle", { class: "first", cx: x, cy: 30, r: 5 }));
}

export function roundView(root) {
  const value = input((text) => change({ value: text }), { placeholder: "0.1, 0x1.8p-3, inf, nan" });
  const modes = modeFields("round");
  const grid = make("div", { id: "round-grid" }), steps = make("div", { id: "round-steps", "aria-live": "polite" });
  root.append(make("h2", { text: "Round a value" }), make("div", { class: "fields" }, field("Value: decimal, hexadecimal float, inf or nan", "value", value, true)), grid,
    make("h2", { text: "Step by step" }), modes.element, steps);
  return (shown) => {
    show(value, shown.value);
    modes.update(shown);
    const given = { format: shown.format, value: shown.value, modes: modesOf(shown) };
    attempt(grid, () => {
      const answer = ask({ ask: "round", ...given });
      return [make("p", { class: "quiet", text: answer.exact ? `Read exactly: ${answer.decimal} = ${answer.value}` : `Read as ${answer.value} and a little more: it has no finite binary expansion` }), modeGrid(answer.modes, "Results by rounding and saturation mode")];
    });
    attempt(steps, () => {
      const answer = ask({ ask: "steps", ...given, rounding: shown.rounding, saturation: shown.saturation });
      const items = answer.steps.map(({ title, text }) => make("li", {}, make("b", { text: title }), text));
      const list = make("ol", { class: "steps" }, ...items);
      return [answer.picture && neighbours(answer.picture), list, command(["binade", "encode", shown.format, shown.value, "--explain", ...modeWords(shown)])];
    });
  };
}

const listOf = (text) => text.split(",").map((word) => word.trim());

export function operateView(root) {
  const { operations } = ask({ ask: "operations" });
  const op = select(named(operations.map(({ name }) => name)), (value) => change({ op: value }));
  const from = input((value) => change({ in: value }), { list: "formats", placeholder: "as above" });
  const to = input((value) => change({ out: value }), { list: "formats", placeholder: "as above" });
  const places = make("div", { class: "fields" });
  const modes = modeFields("operate");
  const result = make("div", { id: "operate-result", "aria-live": "polite" });
  root.append(make("h2", { text: "Operate on codes" }),
    make("div", { class: "fields" }, field("Operation", "op", op), field("Formats of the operands", "in", from, true), field("Format of the result", "out", to, true)), places, modes.element, result);
  let controls = [], laid = "";
  function lay(operation, shown) {
    if (laid !== operation.name) {
      laid = operation.name;
      const edit = (key, at) => (value) => {
        const all = listOf(state[key]);
        all[at] = value.replaceAll(",", "");
        change({ [key]: Array.from(all, (word) => word ?? "0").join(",") });
      };
      controls = [
        ...Array.from({ length: operation.operands }, (_, at) => ({ key: "operands", at, name: `Operand ${at + 1}: code, or =value` })),
        ...Array.from({ length: operation.scales }, (_, at) => ({ key: "scales", at, name: `Scale ${at + 1}: power of two` })),
      ].map((place) => ({ ...place, control: input(edit(place.key, place.at)) }));
      fill(places, ...controls.map(({ key, at, name, control }) => field(name, `${key}-${at}`, control)));
    }
    for (const { key, at, control } of controls) show(control, listOf(shown[key])[at] ?? "");
  }
  return (shown) => {
    const operation = operations.find(({ name }) => name === shown.op) ?? operations[0];
    show(op, operation.name);
    show(from, shown.in);
    show(to, shown.out);
    lay(operation, shown);
    modes.update(shown);
    const sources = shown.in.trim() || shown.format, target = shown.out.trim() || shown.format;
    const operands = listOf(shown.operands).slice(0, operation.operands);
    const scales = listOf(shown.scales).slice(0, operation.scales);
    attempt(result, () => {
      const answer = ask({ ask: "operate", operation: operation.name, from: sources, to: target, operands, scales: scales.map(Number), rounding: shown.rounding, saturation: shown.saturation, modes: modesOf(shown) });
      const read = answer.operands.map((operand) => `${operand.code} = ${operand.decimal}`).join(", ");
      const words = ["binade", "eval", operation.name, ...operands, "--in", sources, "--out", target, ...(scales.length ? [`--scale=${scales.join(",")}`] : []), ...modeWords(shown)];
      return [
        make("p", { class: "quiet", text: `Operands: ${read}` }),
        make("p", {}, "Result: ", make("b", { id: "operate-code", class: "code", text: answer.code }), answer.decimal === undefined ? "" : ` = ${answer.decimal} = ${answer.value}`, `, flags ${answer.flags}`),
        command(words), answer.modes && modeGrid(answer.modes, "Results by rounding and saturation mode"),
      ];
    });
  };
}

const OPERATORS = ["bf16:bf16", "bf16:bf16x2", "bf16:bf16x3", "bf16x2:bf16x2/3", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6", "bf16x3:bf16x3/9", "bf16:f32", "float8_e4m3fn:f32", "float8_e4m3fn:f16", "f16:f16", "f32:f32", "bf16x2:bf16x2/3+listing", "bf16x2:bf16x2/3+exact", "bf16:bf16+flush", "bf16:bf16/rounding=stochastic", "bf16:bf16/rounding=random"];

export function multiplyAddView(root) {
  const operator = input((value) => change({ operator: value }), { list: "operators" });
  const operands = ["a", "b", "c"].map((key) => [key, input((value) => change({ [key]: value }))]);
  const seedField = field("Seed", "multiply-add-seed", input((value) => change({ seed: value }), { type: "number", min: 0, max: 2 ** 53 - 1 }));
  const result = make("div", { id: "multiply-add-result" });
  root.append(make("h2", { text: "Multiply and add, step by step" }), make("p", { class: "quiet", text: "d = a·b + c as an operator computes it: inputs in parts, partial products smallest first, every rounding in its order." }),
    make("datalist", { id: "operators" }, ...OPERATORS.map((value) => make("option", { value }))),
    make("div", { class: "fields" }, field("Operator: INPUTS[xN]:ACCUMULATOR[xM][/PRODUCTS][+VARIANT]", "operator", operator, true)),
    make("div", { class: "fields" }, ...operands.map(([key, control]) => field(key, key, control)), seedField), result);
  return (shown) => {
    show(operator, shown.operator);
    show(seedField.querySelector("input"), shown.seed);
    seedField.hidden = !shown.operator.includes("/rounding=stochastic") && !shown.operator.includes("/rounding=random");
    for (const [key, control] of operands) show(control, shown[key]);
    attempt(result, () => {
      const answer = ask({ ask: "multiply_add", operator: shown.operator, operands: [shown.a, shown.b, shown.c], seed: Number(shown.seed) || 0 });
      const head = ["step", "what", "format", "exact", "rounded to", "error"].map((text) => make("th", { scope: "col", text }));
      const rows = answer.steps.map((step, at) => make("tr", { class: at + 1 === answer.steps.length ? "chosen" : "" }, make("th", { scope: "row", class: "code whole", text: step.name }),
        make("td", { class: "quiet", text: step.about }), make("td", { class: "code", text: step.format }), make("td", { class: "code", text: step.exact }),
        make("td", {}, make("span", { class: "code", text: step.value }), make("br"), step.decimal), make("td", { class: "code", text: step.error })));
      const { parts, pair } = answer;
      const byMode = "a and b rounded to the inputs' format, the exact a·b + c once to the accumulator by the rounding mode";
      const other = shown.operator.toLowerCase().includes("/rounding=") ? byMode : "one multiply-add of a matrix unit";
      const kind = !parts && !pair ? other : parts ? `a and b in ${parts[0]} ${parts[0] === 1 ? "part" : "parts"} of bf16, the accumulator in ${parts[1]}; ${parts[2]} partial ${parts[2] === 1 ? "product" : "products"}` : `a and b rounded to ${pair[0]}, the exact a·b + c once to ${pair[1]}`;
      return [
        make("p", {}, make("b", { class: "code", text: answer.operator }), `: ${kind}. Multiplier area ${answer.area} (binary32: ${answer.binary32_area}), ${Number(answer.speed_up.toPrecision(3))} times binary32's throughput at equal area.`),
        ...(answer.random === null ? [] : [make("p", { class: "quiet", text: `The random word ${answer.random} of the seed rounds the sum: the word of the first addition of a matrix product.` })]),
        make("p", {}, "d = ", make("b", { class: "code", id: "multiply-add-d", text: answer.result.value }), ` = ${answer.result.decimal}`),
        make("div", { class: "wide" }, make("table", {}, make("caption", { class: "visually-hidden", text: "Steps of the multiply-add" }), make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))),
      ];
    });
  };
}
