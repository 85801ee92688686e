/** What GitHub Enterprise Server lacks. */

import { readEvent } from './event.js';

/** github.com and the tenants of GitHub's data residency. */
const HOSTED = /(^github\.com|\.ghe\.com)$/i;

/**
 * actions/upload-artifact v4 and later refuses every other server, and v3 is refused by github.com as soon as an action
 * names it: https://github.com/actions/upload-artifact#v4---whats-new
 * @param {NodeJS.ProcessEnv} env of a step
 * @returns {boolean} whether results can be uploaded as an artifact
 */
export function keepsArtifacts(env) {
  return HOSTED.test(new URL(readEvent(env).serverUrl).hostname);
}
