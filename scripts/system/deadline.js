/** The longest that a timer takes. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Aborts in so many milliseconds, as AbortSignal.timeout does. Node 20 collects one of those that nothing but
 * AbortSignal.any refers to, and then it never aborts.
 * @type {(ms: number) => AbortSignal}
 */
export function abortIn(ms) {
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('The time is up', 'TimeoutError'));
  setTimeout(end, Math.min(ms, LONGEST_MS)).unref();
  return controller.signal;
}
