/** The site's API, with patience: lost answers and rate limits are tried again, within reason. */

import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';

/** @typedef {ReturnType<typeof import('@actions/github').getOctokit>} Octokit */

const RETRIES = 3;
/** No job should stand still longer than this for a comment, in seconds. */
const LONGEST_WAIT = 120;

/**
 * @param {{ token: string, apiUrl: string }} access
 * @returns {Promise<Octokit>}
 */
export async function openApi({ token, apiUrl }) {
  // It reads the event's file while it is imported, and what is broken there is told by whoever asks for it; see event.js.
  const { getOctokit } = await import('@actions/github');
  const throttle = {
    // Each server counts for itself.
    id: apiUrl,
    onRateLimit: mayWait,
    onSecondaryRateLimit: mayWait,
  };
  return getOctokit(token, { baseUrl: apiUrl, throttle }, retry, throttling);
}

/**
 * @param {number} seconds until the limit is lifted
 * @param {object} _request
 * @param {object} _octokit
 * @param {number} retries so far
 */
function mayWait(seconds, _request, _octokit, retries) {
  return seconds <= LONGEST_WAIT && retries < RETRIES;
}
