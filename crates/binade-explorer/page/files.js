// Numbers of files, piece by piece: .npy of any numeric type, text with numbers in it, and histograms as text under `value,count`.

const PIECE = 1 << 17;

function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = (bits >> 10) & 31, fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

function brain(view, at, little) {
  const word = new DataView(new ArrayBuffer(4));
  word.setUint16(0, view.getUint16(at, little));
  return word.getFloat32(0);
}

// Bytes of an element, and how it is read, by NumPy's letters.
const TYPES = {
  f8: [8, (view, at, little) => view.getFloat64(at, little)],
  f4: [4, (view, at, little) => view.getFloat32(at, little)],
  f2: [2, (view, at, little) => half(view.getUint16(at, little))],
  V2: [2, brain],
  i8: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
  u8: [8, (view, at, little) => Number(view.getBigUint64(at, little))],
  i4: [4, (view, at, little) => view.getInt32(at, little)],
  u4: [4, (view, at, little) => view.getUint32(at, little)],
  i2: [2, (view, at, little) => view.getInt16(at, little)],
  u2: [2, (view, at, little) => view.getUint16(at, little)],
  i1: [1, (view, at) => view.getInt8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  b1: [1, (view, at) => view.getUint8(at)],
};

async function* ofNpy(file) {
  const start = new DataView(await file.slice(0, 12).arrayBuffer());
  const wide = start.getUint8(6) > 1;
  const begin = wide ? 12 : 10, length = wide ? start.getUint32(8, true) : start.getUint16(8, true);
  if (begin + length > file.size || length > 1 << 20) throw new Error("the .npy file ends within its header");
  const header = new TextDecoder().decode(await file.slice(begin, begin + length).arrayBuffer());
  const descr = /'descr':\s*'([<>|=]?)([a-zA-Z]\d+)'/.exec(header), shape = /'shape':\s*\(([^)]*)\)/.exec(header);
  const type = descr && TYPES[descr[2]];
  if (!type || !shape) throw new Error(`elements of ${descr ? descr[2] : "this kind"} are not numbers that are read here`);
  const [size, get] = type, little = descr[1] !== ">";
  const count = shape[1].split(",").filter((word) => word.trim()).reduce((product, word) => product * Number(word), 1);
  const data = begin + length;
  if (!(data + count * size <= file.size)) throw new Error(`the .npy file ends early: ${count} elements of ${size} bytes do not fit in it`);
  for (let first = 0; first < count; first += PIECE) {
    const last = Math.min(count, first + PIECE);
    const view = new DataView(await file.slice(data + first * size, data + last * size).arrayBuffer());
    const numbers = new Float64Array(last - first);
    for (let i = 0; i < numbers.length; i++) numbers[i] = get(view, i * size, little);
    yield { numbers, skipped: 0, done: last / count };
  }
}

const WORDS = { inf: Infinity, "+inf": Infinity, "-inf": -Infinity, infinity: Infinity, "+infinity": Infinity, "-infinity": -Infinity, nan: NaN, "-nan": NaN, "+nan": NaN };

// The number that a word is; undefined for other words.
export function numberOf(word) {
  const special = WORDS[word.toLowerCase()];
  if (special !== undefined || Number.isNaN(special)) return special;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) ? Number(word) : undefined;
}

function* ofWords(words, done) {
  for (let first = 0; first < words.length || first === 0; first += PIECE) {
    const numbers = new Float64Array(Math.min(PIECE, words.length - first));
    let count = 0, skipped = 0;
    for (const word of words.slice(first, first + PIECE)) {
      if (word === "") continue;
      const special = word.toLowerCase() in WORDS, number = numberOf(word);
      if (number === undefined && !special) skipped += 1;
      else numbers[count++] = number;
    }
    yield { numbers: numbers.subarray(0, count), skipped, done };
  }
}

const SEPARATORS = /[\s,;]+/;
// The head of a histogram.
const HISTOGRAM = /^\s*"?values?"?[\s,;]+"?counts?"?[^\S\n]*\n/i;

// Numbers and their counts in turn.
function ofBins(words, done) {
  const numbers = Float64Array.from(words, (word) => {
    const number = numberOf(word);
    if (number === undefined) throw new Error(`a histogram has a value and a count in each line: ${word.slice(0, 60)} is no number`);
    return number;
  });
  return { numbers, skipped: 0, counted: true, done };
}

async function* ofText(file) {
  const decoder = new TextDecoder();
  const SLICE = 1 << 20;
  let tail = "", bins;
  for (let at = 0; at < file.size; at += SLICE) {
    let text = tail + decoder.decode(await file.slice(at, at + SLICE).arrayBuffer(), { stream: true });
    if (at === 0) {
      const head = HISTOGRAM.exec(text);
      if (head) [bins, text] = [[], text.slice(head[0].length)];
    }
    const words = text.split(SEPARATORS), done = Math.min(1, (at + SLICE) / file.size);
    // The last word may go on.
    tail = words.pop();
    if (tail.length > 1 << 16) throw new Error("this file does not look like text with numbers");
    if (bins) {
      bins.push(...words.filter((word) => word));
      yield ofBins(bins.splice(0, bins.length & ~1), done);
    } else yield* ofWords(words, done);
  }
  if (bins) yield ofBins([...bins, ...(tail ? [tail] : [])], 1);
  else yield* ofWords([tail], 1);
}

// Pieces of a file's numbers, in order: `numbers`, whether each is followed by how often it is there (`counted`), how many words were
// `skipped`, and the share of the file that is `done`.
export async function* numbersOf(file) {
  const magic = new Uint8Array(await file.slice(0, 6).arrayBuffer());
  const npy = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59].every((byte, at) => magic[at] === byte);
  yield* npy ? ofNpy(file) : ofText(file);
}

// Pseudo-random normal numbers, the same each time: Box and Muller's, from a 32-bit generator (Steele and Vigna's SplitMix
// step with 32-bit words).
export function normalNumbers(count) {
  let seed = 1;
  const uniform = () => {
    seed = (seed + 0x9e3779b9) | 0;
    let z = seed;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
  };
  return Float64Array.from({ length: count }, () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()));
}
