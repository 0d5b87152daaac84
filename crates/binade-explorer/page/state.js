// What is shown, and its other form: the fragment of the address.

export const DEFAULTS = {
  view: "format", format: "float8_e4m3fn", other: "float8_e5m2", value: "0.1", rounding: "nearest_even", saturation: "overflow",
  bits: "32", seed: "0", scale: "log", from: "", to: "", code: "", find: "", class: "", op: "multiply", in: "", out: "",
  operands: "=1.5,=0.4375,=100,=1", scales: "0,0", operator: "bf16x2:bf16x2/3", a: "1.2345", b: "-0.1", c: "0.123456",
  arith: "h100:f16", example: "tiny", ua: "1", ub: "1", uc: "0", step: "1",
};

export const state = { ...DEFAULTS };
const watchers = [];

export function watch(watcher) {
  watchers.push(watcher);
}

export function tell() {
  for (const watcher of watchers) watcher(state);
}

// The address of the state with some changes: what differs from the defaults.
export function address(changes) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ ...state, ...changes })) if (value !== DEFAULTS[key]) query.set(key, value);
  const text = query.toString().replaceAll("%40", "@").replaceAll("%3D", "=").replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
  return `#${text}`;
}

// The address follows soon, and not at every key: browsers drop what comes too often.
let waiting;
// The fragment that the state is from, or is kept in.
let kept;

function keep() {
  clearTimeout(waiting);
  waiting = undefined;
  // Somebody has gone elsewhere, and `read` is about to hear of it.
  if (location.hash !== kept) return;
  history.replaceState(null, "", address({}));
  kept = location.hash;
}

export function change(changes) {
  Object.assign(state, changes);
  waiting ??= setTimeout(keep, 200);
  tell();
}

addEventListener("pagehide", () => { if (waiting !== undefined) keep(); });

export function read() {
  clearTimeout(waiting);
  waiting = undefined;
  kept = location.hash;
  const given = new URLSearchParams(location.hash.slice(1));
  for (const key of Object.keys(DEFAULTS)) state[key] = given.get(key) ?? DEFAULTS[key];
  tell();
}
