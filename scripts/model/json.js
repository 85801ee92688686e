/** Undefined where it is not JSON. @type {(text: string) => any} */
export function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
