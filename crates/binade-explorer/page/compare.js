// Two formats beside each other: what they hold, their precision by binade, and what they do to numbers.
import { ask, give } from "./engine.js";
import { make, field, input, show, fill, attempt, command } from "./dom.js";
import { change } from "./state.js";
import { modeFields, modeWords } from "./modes.js";
import { labels, widthOf } from "./line.js";
import { propertyText } from "./views.js";
import { numbersOf, normalNumbers } from "./files.js";

const PLOT = { height: 260, left: 44, right: 8, top: 12, bottom: 34 };

// The binades that a picture shows: those of both formats and of the numbers, but not thousands of empty ones.
function extent(runs, exponents) {
  let from = Infinity, to = -Infinity;
  for (const run of runs) for (const { from: first, to: last } of run) { from = Math.min(from, first); to = Math.max(to, last); }
  for (const [exponent] of exponents) { from = Math.min(from, exponent); to = Math.max(to, exponent); }
  return { from, to: to + 1 };
}

function steps(run, x, y) {
  let path = "", open = false;
  for (const { from, to, bits } of run) {
    if (bits === 0) { open = false; continue; }
    path += `${open ? "L" : "M"}${x(from).toFixed(1)} ${y(bits).toFixed(1)}L${x(to + 1).toFixed(1)} ${y(bits).toFixed(1)}`;
    open = true;
  }
  return path;
}

function picture(answers, names, measured, width) {
  const { height, left, right, top, bottom } = PLOT;
  const exponents = measured ? measured.exponents : [];
  const { from, to } = extent(answers.map((answer) => answer.binades), exponents);
  const most = Math.max(...answers.flatMap((answer) => answer.binades.map((run) => run.bits)));
  const x = (exponent) => left + (exponent - from) / (to - from) * (width - left - right);
  const y = (bits) => height - bottom - bits / (most + 1) * (height - top - bottom);
  const summary = answers.map((answer, at) => `${names[at]}: ${answer.least} to ${answer.largest}, up to ${Math.max(...answer.binades.map((run) => run.bits))} bits`).join("; ");
  const svg = make("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Bits of precision by binade. ${summary}` });
  for (const { place, text } of labels(from, to, "log", Math.ceil(width / 90))) {
    svg.append(make("line", { class: "rule", x1: x(place), x2: x(place), y1: top, y2: height - bottom }), make("text", { x: x(place), y: height - 14, "text-anchor": "middle", text }));
  }
  for (const { place, text } of labels(0, most + 1, "linear", 6)) {
    if (place % 1 === 0) svg.append(make("line", { class: "rule", x1: left, x2: width - right, y1: y(place), y2: y(place) }), make("text", { x: left - 8, y: y(place) + 4, "text-anchor": "end", text }));
  }
  const tallest = Math.max(1, ...exponents.map(([, count]) => count));
  const share = (height - top - bottom) * 0.9 / tallest;
  const bars = exponents.map(([exponent, count]) => `M${x(exponent).toFixed(1)} ${height - bottom}v${(-Math.max(1, count * share)).toFixed(1)}H${x(exponent + 0.9).toFixed(1)}V${height - bottom}z`).join("");
  svg.append(make("path", { class: "bars", d: bars, opacity: 0.35 }));
  answers.forEach((answer, at) => svg.append(make("path", { class: at === 0 ? "line-first" : "line-second", d: steps(answer.binades, x, (bits) => y(bits) + at * 2) })));
  return svg;
}

const MEASURES = [
  ["sqnr_db", "SQNR in dB", (value) => (value === null ? "∞: all equal" : value.toFixed(2))], ["mean_square", "mean square error"], ["max_abs", "largest error"], ["max_relative", "largest relative error"], ["cosine", "cosine"],
  ["overflow", "overflow"], ["underflow", "underflow to zero"], ["nan", "NaN that were numbers"], ["different", "changed"],
];

function measureTable(measured) {
  const head = make("tr", {}, make("th", { scope: "col", text: "measure" }), ...measured.formats.map(({ format }) => make("th", { scope: "col", text: format })));
  const write = (value) => (value === null ? "–" : Number.isInteger(value) ? value.toLocaleString("en") : value.toPrecision(6));
  const rows = MEASURES.map(([key, name, text]) => make("tr", { "data-measure": key }, make("th", { scope: "row", text: name }), ...measured.formats.map((row) => make("td", { class: "number", text: (text ?? write)(row[key]) }))));
  return make("div", { class: "wide" }, make("table", { id: "measures" }, make("caption", { class: "visually-hidden", text: "Errors of rounding the numbers" }), make("thead", {}, head), make("tbody", {}, ...rows)));
}

export function compareView(root) {
  const other = input((value) => change({ other: value }), { list: "formats" });
  const sides = make("div"), plot = make("figure"), errors = make("div", { id: "compare-errors", "aria-live": "polite" });
  const modes = modeFields("compare");
  const file = make("input", { type: "file", accept: ".npy,.csv,.txt,.tsv,.dat,text/*" });
  const drop = make("div", { class: "drop fields", id: "drop" }, field("A .npy file, text with numbers, or a histogram: lines under value,count; or drop one here", "file", file, true),
    make("button", { type: "button", text: "100,000 normal numbers", id: "sample", onclick: () => take({ name: "normal numbers", async *[Symbol.asyncIterator]() { yield { numbers: normalNumbers(100000), skipped: 0, done: 1 }; } }) }));
  root.append(make("h2", { text: "Two formats" }), make("div", { class: "fields" }, field("Other format", "other", other, true)), plot, sides,
    make("h2", { text: "What rounding does to numbers" }), drop, modes.element, errors);

  // Where numbers come from, and what they were measured as.
  let source, measured, key, run = 0, latest;
  const keyOf = (shown) => JSON.stringify([shown.format, shown.other, shown.rounding, shown.saturation, shown.seed]);

  async function measure() {
    const mine = ++run, shown = { ...latest };
    key = keyOf(shown);
    measured = undefined;
    let start = true, counted = false, skipped = 0, answer;
    try {
      for await (const piece of source) {
        if (mine !== run) return;
        give(piece.numbers);
        counted = piece.counted ?? false;
        answer = ask({ ask: "measure", formats: [shown.format, shown.other], rounding: shown.rounding, saturation: shown.saturation, seed: Number(shown.seed) || 0, start, counted });
        start = false;
        skipped += piece.skipped;
        fill(errors, make("p", { class: "quiet", text: `${source.name}: ${Math.round(piece.done * 100)} %` }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    } catch (error) {
      fill(errors, make("p", { class: "bad", role: "alert", text: error.message }));
      return;
    }
    if (mine !== run) return;
    if (!answer || answer.elements === 0) {
      fill(errors, make("p", { class: "bad", role: "alert", text: `${source.name}: no numbers in it` }));
      return;
    }
    measured = { ...answer, counted, skipped, name: source.name };
    update(latest);
  }
  function take(from) {
    source = from;
    measure();
  }
  const takeFile = (given) => given && take({ name: given.name, [Symbol.asyncIterator]: () => numbersOf(given) });
  file.addEventListener("change", () => takeFile(file.files[0]));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", kind === "dragover");
      if (kind === "drop") takeFile(event.dataTransfer.files[0]);
    });
  }

  function update(shown) {
    latest = shown;
    show(other, shown.other);
    modes.update(shown);
    if (source && key !== keyOf(shown)) measure();
    attempt(sides, () => {
      const both = [shown.format, shown.other].map((format) => ask({ ask: "show", format }));
      const answers = both.map(({ name }) => ask({ ask: "precision", format: name }));
      const legend = make("figcaption", { class: "quiet" }, "Bits of precision by binade: ", make("span", { class: "key", style: "background:var(--first)" }), `${both[0].name} (whole line) `, make("span", { class: "key", style: "background:var(--second)" }), `${both[1].name} (dashed)`, measured ? "; bars: the numbers, by binade" : "");
      fill(plot, legend, picture(answers, both.map(({ name }) => name), measured, widthOf(plot)));
      const rows = Object.keys(both[0].properties).map((property) => {
        const texts = both.map(({ properties }) => (property === "nan_codes" ? properties[property].join(" ") || "none" : propertyText(properties[property])));
        return make("tr", { class: texts[0] === texts[1] ? "" : "special" }, make("th", { scope: "row", text: property.replaceAll("_", " ") }), ...texts.map((text) => make("td", { class: "code", text })));
      });
      return make("div", { class: "wide" }, make("table", {}, make("caption", { class: "visually-hidden", text: "Properties side by side" }), make("tbody", {}, ...rows)));
    });
    if (sides.querySelector(".bad")) fill(plot);
    if (measured && key === keyOf(shown)) {
      const count = (number) => number.toLocaleString("en");
      fill(errors, make("p", {}, `${measured.name}: ${measured.counted ? "a histogram of " : ""}${count(measured.elements)} numbers, read to binary64; ${count(measured.zeros)} zeros, ${count(measured.negative)} negative, ${count(measured.infinite)} infinite, ${count(measured.nan)} NaN`, measured.skipped ? `; ${count(measured.skipped)} words were no numbers` : "", "."),
        measureTable(measured), measured.counted ? undefined : command(["binade", "quantize", "X.npy", "Y.npy", "--simulate", "--format", shown.format, ...modeWords(shown)]));
    } else if (!source) {
      fill(errors, make("p", { class: "quiet", text: "No numbers yet. Nothing that you choose leaves this page." }));
    }
  }
  return update;
}
