/** @param {string} text @returns {any} undefined where it is not JSON */
export function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
