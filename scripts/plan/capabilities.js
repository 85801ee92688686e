/** What each load tool can be asked for, so that planning can refuse the rest before anything starts. */

/**
 * @typedef {'rate' | 'pipelining' | 'threads' | 'keepAliveOff' | 'method' | 'headers' | 'body'} Ability
 * @typedef {{
 *   label: string,
 *   install: string,
 *   package?: string,
 *   can: Record<Ability, boolean>,
 *   wholeSeconds: boolean,
 * }} Capability install: what a person types to get it; package: Debian's name for it, absent where npm brings it;
 *   wholeSeconds: its duration takes no fractions
 */

const HTTP = { keepAliveOff: true, method: true, headers: true, body: true };

/** @type {Record<string, Capability>} */
export const CAPABILITIES = {
  autocannon: {
    label: 'autocannon',
    install: 'npm ci',
    can: { ...HTTP, rate: true, pipelining: true, threads: true },
    wholeSeconds: true,
  },
  wrk: {
    label: 'wrk',
    install: 'sudo apt-get install wrk',
    package: 'wrk',
    can: { ...HTTP, rate: false, pipelining: true, threads: true },
    wholeSeconds: true,
  },
  ab: {
    label: 'ApacheBench',
    install: 'sudo apt-get install apache2-utils',
    package: 'apache2-utils',
    can: { ...HTTP, rate: false, pipelining: false, threads: false },
    wholeSeconds: true,
  },
};
