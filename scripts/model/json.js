/** Characters of an answer that a message quotes. */
const QUOTED = 200;

/** Undefined where it is not JSON. @type {(text: string) => any} */
export function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Its beginning, quoted. @type {(text: string) => string} */
export function excerpt(text) {
  return JSON.stringify(text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text);
}
