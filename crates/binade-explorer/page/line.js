// The number line of a format: a picture to look at, and a slider for keys and screen readers.
import { ask } from "./engine.js";
import { make, select, attempt, fill } from "./dom.js";
import { state, change } from "./state.js";

const HEIGHT = 92, TOP = 14, BOTTOM = 62;

// The width of a picture in pixels, so that its text is as large as the page's.
export function widthOf(figure) {
  return Math.min(960, Math.max(240, Math.round(figure.clientWidth) || 900));
}

const raised = (number) => String(number).replace(/./g, (digit) => ({ "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" })[digit]);

// Positions for labels: whole powers of two, or round numbers.
export function labels(from, to, scale, most) {
  const span = to - from;
  let step = 10 ** Math.floor(Math.log10(span / most));
  for (const factor of [1, 2, 5, 10]) if (span / (step * factor) <= most) { step *= factor; break; }
  if (scale === "log") step = Math.max(1, 2 ** Math.ceil(Math.log2(span / most)));
  const all = [];
  for (let k = Math.ceil(from / step); k <= Math.floor(to / step) && all.length <= 2 * most; k++) all.push(k * step);
  return all.map((place) => ({ place, text: scale === "log" ? `2${raised(place)}` : String(Number(place.toPrecision(6))) }));
}

function path(marks, wanted) {
  return marks.filter(wanted).map((mark) => {
    const [x, width] = mark.count === 1 ? [mark.place - 0.6, 1.2] : [mark.column, 1.05];
    return `M${x.toFixed(2)} ${mark.subnormal ? TOP + 16 : TOP}h${width}V${BOTTOM}h${-width}z`;
  }).join("");
}

export function buildLine(root) {
  const figure = make("figure", { id: "line", tabindex: 0, role: "slider", "aria-label": "Value on the number line", "aria-orientation": "horizontal" });
  const row = make("div", { id: "line-row", "aria-live": "polite" });
  const scale = select([["log", "logarithmic: positive values"], ["linear", "linear: all values"]], (value) => change({ scale: value, from: "", to: "" }));
  scale.setAttribute("aria-label", "Scale");
  const zoomer = (text, name, factor) => make("button", { type: "button", text, "aria-label": name, onclick: () => zoom(factor) });
  const tools = make("div", { class: "fields" }, scale, zoomer("+", "Zoom in", 0.5), zoomer("−", "Zoom out", 2),
    make("button", { type: "button", text: "All", "aria-label": "Show all values", onclick: () => change({ from: "", to: "" }) }),
    make("span", { class: "quiet" }, make("span", { class: "key", style: "background:var(--first)" }), "normal ", make("span", { class: "key", style: "background:var(--second)" }), "subnormal"));
  root.append(make("h2", { text: "Number line" }), tools, figure, row);
  let view, chosen;

  const question = (more) => ({ ask: "near", format: state.format, scale: state.scale, by: 0, ...more });
  function window_(from, to) {
    if (to - from > (view.last - view.first) * 1.2 || !(to > from)) change({ from: "", to: "" });
    else change({ from: String(from), to: String(to) });
  }
  function zoom(factor, about) {
    if (!view) return;
    const centre = about ?? (chosen && chosen.position >= view.from && chosen.position <= view.to ? chosen.position : (view.from + view.to) / 2);
    window_(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
  }
  function go(more) {
    const { row, position } = ask(question(more));
    const changes = { code: row.code };
    if (position < view.from || position > view.to) {
      const half = (view.to - view.from) / 2;
      Object.assign(changes, { from: String(position - half), to: String(position + half) });
    }
    change(changes);
  }
  const at = (event) => {
    const box = figure.getBoundingClientRect();
    return view.from + (event.clientX - box.left) / box.width * (view.to - view.from);
  };
  figure.addEventListener("keydown", (event) => {
    if (!view) return;
    const from = chosen ? { code: chosen.row.code } : {};
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 16, PageDown: -16, End: 2 ** 52, Home: -(2 ** 52) };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) go({ ...from, by: chosen ? steps[event.key] : 0 });
    else if (event.key === "+" || event.key === "=") zoom(0.5);
    else if (event.key === "-") zoom(2);
    else if (event.key === "0") change({ from: "", to: "" });
    else return;
    event.preventDefault();
  });
  figure.addEventListener("wheel", (event) => {
    // With a key, so that the page scrolls without.
    if (!view || !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(event.deltaY < 0 ? 0.8 : 1.25, at(event));
  }, { passive: false });
  let drag;
  figure.addEventListener("pointerdown", (event) => { if (!view) return; drag = { x: event.clientX, from: view.from, to: view.to, moved: false }; figure.setPointerCapture(event.pointerId); });
  figure.addEventListener("pointermove", (event) => {
    if (!view || !drag || Math.abs(event.clientX - drag.x) < 4 && !drag.moved) return;
    drag.moved = true;
    const shift = (drag.x - event.clientX) / figure.getBoundingClientRect().width * (drag.to - drag.from);
    window_(drag.from + shift, drag.to + shift);
  });
  figure.addEventListener("pointerup", (event) => {
    if (view && drag && !drag.moved) go({ position: at(event) });
    drag = undefined;
  });
  figure.addEventListener("pointercancel", () => { drag = undefined; });

  return (shown) => {
    scale.value = shown.scale;
    const end = (text) => (text === "" || !Number.isFinite(Number(text)) ? null : Number(text));
    view = undefined;
    attempt(figure, () => {
      const columns = widthOf(figure);
      view = ask({ ask: "line", format: shown.format, scale: shown.scale, from: end(shown.from), to: end(shown.to), columns });
      const place = (position) => (position - view.from) / (view.to - view.from) * columns;
      const svg = make("svg", { viewBox: `0 0 ${columns} ${HEIGHT}`, "aria-hidden": "true" });
      for (const { place: position, text } of labels(view.from, view.to, shown.scale, Math.ceil(columns / 100))) {
        const x = place(position);
        svg.append(make("line", { class: "rule", x1: x, x2: x, y1: TOP - 6, y2: BOTTOM + 8 }),
          make("text", { x, y: BOTTOM + 22, "text-anchor": x < 20 ? "start" : x > columns - 20 ? "end" : "middle", text }));
      }
      svg.append(make("path", { class: "first", d: path(view.marks, (mark) => !mark.subnormal) }),
        make("path", { class: "second", d: path(view.marks, (mark) => mark.subnormal) }));
      chosen = undefined;
      if (shown.code !== "") {
        try { chosen = ask(question({ code: shown.code })); } catch { /* A code of another format. */ }
      }
      if (chosen && Number.isFinite(chosen.position)) {
        const x = place(chosen.position);
        if (x >= 0 && x <= columns) svg.append(make("line", { class: "cursor", x1: x, x2: x, y1: 4, y2: BOTTOM + 8 }), make("path", { class: "cursor-head", d: `M${x - 6} 0h12l-6 9z` }));
      }
      return svg;
    });
    const text = chosen ? `${chosen.row.decimal}, code ${chosen.row.code}, ${chosen.row.class.replaceAll("_", " ")}` : "none chosen: arrow keys walk along the values";
    figure.setAttribute("aria-valuetext", text);
    if (view) {
      figure.setAttribute("aria-valuemin", view.first);
      figure.setAttribute("aria-valuemax", view.last);
      figure.setAttribute("aria-valuenow", chosen ? chosen.position : view.first);
    }
    fill(row, make("p", { class: chosen ? "" : "quiet" }, chosen
      ? make("span", { class: "code", text: `${chosen.row.code} = ${chosen.row.bits}${chosen.row.form && ` = ${chosen.row.form}`} = ${chosen.row.decimal} = ${chosen.row.value}` })
      : "Choose a value: click, or focus the line and press an arrow key."));
  };
}
