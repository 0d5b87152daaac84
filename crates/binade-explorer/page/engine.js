// The library, as WebAssembly: questions and answers are JSON, numbers a stretch of its memory.

let module, instance;

async function start() {
  const text = document.getElementById("wasm").textContent.trim();
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  module = await WebAssembly.compile(bytes);
  instance = await WebAssembly.instantiate(module, {});
}

function room(pointer, what) {
  if (pointer === 0) throw new Error(`there is no memory for ${what}`);
  return pointer;
}

// The answer to a question; one without an answer is an error with its reason.
export function ask(question) {
  const { memory, binade_question, binade_answer, binade_text } = instance.exports;
  const bytes = new TextEncoder().encode(JSON.stringify(question));
  // The memory may grow, and its buffer be another one, in each call.
  const pointer = room(binade_question(bytes.length), "the question");
  new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes);
  let length;
  try {
    length = binade_answer();
  } catch (error) {
    // Nothing that it held can be trusted: a new one takes its place.
    WebAssembly.instantiate(module, {}).then((fresh) => { instance = fresh; });
    throw new Error(`the library failed to answer (${error.message}): please report ${JSON.stringify(question)}`);
  }
  const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, binade_text(), length)));
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

// Hands numbers over for the next question.
export function give(numbers) {
  const { memory, binade_numbers } = instance.exports;
  const pointer = room(binade_numbers(numbers.length), "so many numbers");
  new Float64Array(memory.buffer, pointer, numbers.length).set(numbers);
}

export const started = start();
