/**
 * What a program that we start gets of the caller's environment: what stands in a list, and nothing else. Whatever holds a
 * secret has a name that nobody can foresee.
 */

/** What any program may need: where things are, how people write here, how the network is reached. A `*` ends a prefix. */
const COMMON = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'LD_LIBRARY_PATH'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['LANG', 'LANGUAGE', 'LC_*', 'TZ', 'TERM', 'NO_COLOR', 'FORCE_COLOR', 'CI'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'NIX_SSL_CERT_FILE'],
];

/** Their addresses may hold a password, without which nothing is reached at all. */
const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'FTP_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/** The site's own, which are for its steps: never passed, whoever asks. */
export const OF_SITE = /^(GITHUB|ACTIONS|RUNNER|INPUT|PERF|ACT)_/i;

/** The rest of a name that is not passed by its prefix. */
const SECRET = /TOKEN|SECRET|PASS|CREDENTIAL|AUTH|KEY|OTP/i;

/** An address with a password in it. */
const PASSWORD = /:\/\/[^\s/?#@]*@/;

/**
 * @param {NodeJS.ProcessEnv} caller
 * @param {readonly string[]} [more] names beside the common ones; a `*` at the end stands for any rest that looks like no
 *   secret
 * @returns {NodeJS.ProcessEnv} a new one, without addresses that hold a password, but for proxies
 */
export function allowedEnvironment(caller, more = []) {
  const names = [...COMMON, ...more];
  const exact = new Set(names);
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const isAllowed = (/** @type {string} */ name) =>
    exact.has(name) ||
    prefixes.some((prefix) => name.startsWith(prefix) && !SECRET.test(name.slice(prefix.length)));
  return Object.fromEntries(
    Object.entries(caller).filter(
      ([name, value = '']) =>
        PROXIES.includes(name) || (isAllowed(name) && !OF_SITE.test(name) && !PASSWORD.test(value)),
    ),
  );
}

/**
 * @param {string[]} modules files
 * @returns {NodeJS.ProcessEnv} by which Node loads them before a program's own code
 */
export function preloading(modules) {
  if (modules.length === 0) return {};
  return { NODE_OPTIONS: modules.map((file) => `--require ${JSON.stringify(file)}`).join(' ') };
}
