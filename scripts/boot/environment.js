/** The environment that measured code gets: the caller's without anything secret or of the site. */

const KEPT_BACK = /TOKEN|SECRET|PASSWORD|CREDENTIAL|PRIVATE_KEY|^(GITHUB|ACTIONS|RUNNER|INPUT|PERF|ACT)_/i;

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {Record<string, string>} own the manifest's `env`, which is the user's own wish and passes as it is
 * @returns {NodeJS.ProcessEnv}
 */
export function serverEnvironment(caller, own) {
  const passed = Object.entries(caller).filter(([name]) => !KEPT_BACK.test(name));
  return { ...Object.fromEntries(passed), ...own };
}
