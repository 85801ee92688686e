/** GitHub's API: lost answers and rate limits are retried, within reason. */

import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

/** @typedef {ReturnType<typeof import('@actions/github').getOctokit>} Octokit */

const RETRIES = 3;
/** The longest that a job waits for a rate limit, in seconds. */
const LONGEST_WAIT = 120;

/** In place of a group of the plugin, which starts one write a second, and one comment in three. */
const UNSPACED = {
  key: () => ({ schedule: (/** @type {unknown} */ _, /** @type {() => unknown} */ work) => work() }),
};

/** @type {(access: { token: string, apiUrl: string }) => Promise<Octokit>} */
export async function openApi({ token, apiUrl }) {
  // The package reads the event's file on import, and throws where that is broken; event.js reports it
  // better.
  const { getOctokit } = await import('@actions/github');
  const retryAfterBaseValue = secondMs(apiUrl);
  const throttle = {
    // Servers are throttled independently.
    id: apiUrl,
    retryAfterBaseValue,
    onRateLimit: mayRetry,
    onSecondaryRateLimit: mayRetry,
    ...(isLocal(apiUrl) && /** @type {{}} */ ({ write: UNSPACED, notifications: UNSPACED })),
  };
  const options = { baseUrl: apiUrl, throttle, retry: { retryAfterBaseValue } };
  return getOctokit(token, options, retry, throttling);
}

/** How long a second before the next attempt is, in ms. @type {(apiUrl: string) => number} */
export function secondMs(apiUrl) {
  return isLocal(apiUrl) ? 1 : 1000;
}

/** GitHub limits how often it is asked; a local one needs no pauses. @type {(apiUrl: string) => boolean} */
function isLocal(apiUrl) {
  return new URL(apiUrl).hostname === '127.0.0.1';
}

/**
 * The limit is lifted after so many seconds, and this is tried again so many times.
 * @type {(seconds: number, _request: object, _octokit: object, retries: number) => boolean}
 */
function mayRetry(seconds, _request, _octokit, retries) {
  return seconds <= LONGEST_WAIT && retries < RETRIES;
}
