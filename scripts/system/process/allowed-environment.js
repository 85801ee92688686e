/** The variables that started programs get: only those of a list, since nobody foresees names of secrets. */

/** For any program. A `*` ends a prefix. */
const COMMON = (
  'PATH HOME USER LOGNAME SHELL TMPDIR TMP TEMP LD_LIBRARY_PATH ' +
  'XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR ' +
  'LANG LANGUAGE LC_* TZ TERM NO_COLOR FORCE_COLOR CI ' +
  'SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NIX_SSL_CERT_FILE'
).split(' ');

/** Their addresses may contain a password, but without them there is no network. */
const PROXY = /^(?:(?:(?:YARN_)?HTTPS?|ALL|FTP|NO)_PROXY|(?:https?|all|ftp|no)_proxy)$/;
/** GitHub's variables for its steps, and this action's: never passed on. */
export const OF_GITHUB = /^(GITHUB|ACTIONS|RUNNER|INPUT|PERF|ACT)_/i;
/** A prefix does not pass a name whose rest looks like a secret. */
const SECRET = /TOKEN|SECRET|PASS|CREDENTIAL|AUTH|KEY|OTP/i;
/** An address that contains a password. */
const PASSWORD = /:\/\/[^\s/?#@]*@/;

/**
 * Leaves out addresses that contain a password, except those of proxies. `more` are further names; a `*` at
 * the end stands for any rest that does not look like a secret.
 * @type {(caller: NodeJS.ProcessEnv, more?: readonly string[]) => NodeJS.ProcessEnv}
 */
export function allowedEnvironment(caller, more = []) {
  const names = [...COMMON, ...more];
  const prefixes = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const isAllowed = (/** @type {string} */ name) =>
    names.includes(name) ||
    prefixes.some((prefix) => name.startsWith(prefix) && !SECRET.test(name.slice(prefix.length)));
  return Object.fromEntries(
    Object.entries(caller).filter(
      ([name, value = '']) =>
        PROXY.test(name) || (isAllowed(name) && !OF_GITHUB.test(name) && !PASSWORD.test(value)),
    ),
  );
}

/** Makes Node load them before a program's code. @type {(modules: string[]) => Record<string, string>} */
export function preloading(modules) {
  if (modules.length === 0) return {};
  return { NODE_OPTIONS: modules.map((file) => `--require ${JSON.stringify(file)}`).join(' ') };
}
