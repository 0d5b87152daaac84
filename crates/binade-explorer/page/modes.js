// The grid of every rounding and saturation mode, and the fields that choose one.
import { make, field, select, input, named, show, ROUNDINGS, SATURATIONS } from "./dom.js";
import { state, change } from "./state.js";

export function modesOf(shown) {
  return { random_bits: Number(shown.bits) || 0, seed: Number(shown.seed) || 0 };
}

// Fields of modes; `update` shows the state in them.
export function modeFields(prefix) {
  const rounding = select(named(ROUNDINGS), (value) => change({ rounding: value }));
  const saturation = select(named(SATURATIONS), (value) => change({ saturation: value }));
  const bits = input((value) => change({ bits: value }), { type: "number", min: 1, max: 32 });
  const seed = input((value) => change({ seed: value }), { type: "number", min: 0, max: 2 ** 53 - 1 });
  const bitsField = field("Random bits", `${prefix}-bits`, bits), seedField = field("Seed", `${prefix}-seed`, seed);
  const element = make("div", { class: "fields" }, field("Rounding", `${prefix}-rounding`, rounding), field("Saturation", `${prefix}-saturation`, saturation), bitsField, seedField);
  return {
    element,
    update(shown) {
      show(rounding, shown.rounding);
      show(saturation, shown.saturation);
      show(bits, shown.bits);
      show(seed, shown.seed);
      // `random` takes one bit.
      bitsField.hidden = !shown.rounding.startsWith("stochastic");
      seedField.hidden = bitsField.hidden && shown.rounding !== "random";
    },
  };
}

// Words of the command for the modes that are not its defaults.
export function modeWords(shown) {
  const words = [];
  if (shown.rounding !== "nearest_even") words.push("--rounding", shown.rounding);
  if (shown.saturation !== "overflow") words.push("--saturation", shown.saturation);
  const isStochastic = shown.rounding.startsWith("stochastic");
  if (isStochastic && shown.bits !== "32") words.push("--random-bits", shown.bits);
  if ((isStochastic || shown.rounding === "random") && shown.seed !== "0") words.push("--seed", shown.seed);
  return words;
}

function resultCell(mode, saturations, result) {
  const chosen = mode.rounding === state.rounding && saturations.includes(state.saturation);
  const note = result.error === undefined ? `flags ${result.flags}` : `error ${result.error}, flags ${result.flags}`;
  const button = make("button", {
    type: "button", "aria-pressed": String(chosen), "data-code": result.code, "data-flags": result.flags, "data-value": result.value, "data-error": result.error ?? "",
    "data-mode": `${mode.rounding} ${saturations.join(" ")}`,
    onclick: () => {
      change({ rounding: mode.rounding, saturation: saturations.includes(state.saturation) ? state.saturation : saturations[0] });
      document.querySelector(`[data-mode^="${mode.rounding} "][aria-pressed="true"]`)?.focus();
    },
  }, make("span", { class: "code", text: result.code }), ` = ${result.decimal}`, make("small", { text: note }));
  return make("td", { colspan: saturations.length }, button);
}

// A row a rounding mode; a cell for each saturation mode, or one for all where they agree.
export function modeGrid(modes, caption) {
  const head = make("tr", {}, make("th", { scope: "col", text: "rounding" }), ...SATURATIONS.map((name) => make("th", { scope: "col", text: name === "overflow" ? "saturation: overflow" : name })));
  const rows = modes.map((mode) => {
    const alike = mode.results.every((result) => result.code === mode.results[0].code && result.flags === mode.results[0].flags);
    const name = make("th", { scope: "row", text: mode.rounding.replaceAll("_", " ") });
    if (mode.random !== undefined) name.append(make("small", { text: `R/N = ${mode.random}` }));
    const cells = alike ? [resultCell(mode, SATURATIONS, mode.results[0])] : mode.results.map((result, at) => resultCell(mode, [SATURATIONS[at]], result));
    return make("tr", {}, name, ...cells);
  });
  return make("div", { class: "wide" }, make("table", { class: "grid-of-modes" }, make("caption", { class: "visually-hidden", text: caption }), make("thead", {}, head), make("tbody", {}, ...rows)));
}
