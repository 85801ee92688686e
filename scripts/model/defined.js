/**
 * Leaves out the keys whose value is undefined: what was not measured is absent.
 * @template {object} T
 * @param {T} value
 * @returns {{ [K in keyof T as undefined extends T[K] ? never : K]: T[K] } &
 *   { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> }}
 */
export function defined(value) {
  return /** @type {any} */ (
    Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined))
  );
}
