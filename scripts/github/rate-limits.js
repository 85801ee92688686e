/**
 * Secondary rate limits come as 403, which plugin-retry takes for a refusal.
 * https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#handle-rate-limit-errors-appropriately
 */

const RETRIES = 3;
/** What the site asks to wait where it names no time, in seconds. */
const UNNAMED_WAIT = 60;
/** Longer than this no job should stand still for a comment, in seconds. */
const LONGEST_WAIT = 120;

/**
 * An Octokit plugin, to be given before plugin-retry, whose mark it leaves on the error.
 * @param {any} octokit
 */
export function waitOutLimits(octokit) {
  octokit.hook.error('request', (/** @type {any} */ error) => {
    const seconds = waitOf(error);
    throw seconds === undefined ? error : octokit.retry.retryRequest(error, RETRIES, seconds);
  });
  return {};
}

/**
 * @param {any} error
 * @returns {number | undefined} seconds to wait; undefined: this is no limit, or one too long to wait for
 */
function waitOf(error) {
  if (![403, 429].includes(error.status) || !error.request?.request) return undefined;
  const named = error.response?.headers['retry-after'];
  if (named === undefined && !/secondary rate limit/i.test(error.message)) return undefined;
  const seconds = named === undefined ? UNNAMED_WAIT : Number(named);
  return seconds <= LONGEST_WAIT ? seconds : undefined;
}
