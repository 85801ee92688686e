/** The site's API, with patience: lost answers and rate limits are tried again, within reason. */

import { getOctokit } from '@actions/github';
import { retry } from '@octokit/plugin-retry';
import { waitOutLimits } from './rate-limits.js';

/** @typedef {ReturnType<typeof getOctokit>} Octokit */

/**
 * @param {{ token: string, apiUrl: string }} access
 * @returns {Octokit}
 */
export function openApi({ token, apiUrl }) {
  return getOctokit(token, { baseUrl: apiUrl }, waitOutLimits, retry);
}
