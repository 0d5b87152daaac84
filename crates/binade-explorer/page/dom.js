// Elements, and the few widgets that views share.

// An element: attributes by name, `on…` listeners, `text`; children are elements or text.
export function make(tag, attributes = {}, ...children) {
  const svg = ["svg", "g", "path", "line", "text", "rect", "circle", "title"].includes(tag);
  const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== null));
  return element;
}

// A labelled input or select under the key of the state that it edits.
export function field(label, id, control, wide) {
  control.id = id;
  return make("p", { class: wide ? "field wide-field" : "field" }, make("label", { for: id, text: label }), control);
}

export function select(options, onchange) {
  const control = make("select", { onchange: () => onchange(control.value) });
  for (const [value, text] of options) control.append(make("option", { value, text }));
  return control;
}

export function input(onedit, attributes = {}) {
  const control = make("input", {
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", oninput: () => onedit(control.value), ...attributes,
  });
  return control;
}

// Shows a value in a control without moving the cursor of who types there.
export function show(control, value) {
  if (control.value !== value) control.value = value;
}

export function fill(parent, ...children) {
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== null));
}

// Shows what `produce` makes, or why it cannot be made.
export function attempt(parent, produce) {
  try {
    const children = produce();
    fill(parent, ...(Array.isArray(children) ? children : [children]));
    return true;
  } catch (error) {
    fill(parent, make("p", { class: "bad", role: "alert", text: error.message }));
    return false;
  }
}

export function command(words) {
  const shown = words.map((word) => (/[^\w@=,.:+\/-]/.test(word) || word === "" ? `'${word.replaceAll("'", "'\\''")}'` : word));
  return make("p", {}, make("span", { class: "quiet", text: "The command: " }), make("code", { class: "command", text: shown.join(" ") }));
}

export const ROUNDINGS = ["nearest_even", "nearest_away", "toward_positive", "toward_negative", "toward_zero", "to_odd", "stochastic_a", "stochastic_b", "stochastic_c", "random"];
export const SATURATIONS = ["overflow", "finite", "max"];

export const named = (names) => names.map((name) => [name, name === "random" ? "random: a fair coin" : name.replaceAll("_", " ")]);
