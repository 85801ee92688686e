/** @import { Runtime } from '../runtimes.js' */

/** @type {Runtime} */
export const php = {
  label: 'PHP',
  programs: { php: 'sudo apt-get install php-cli', composer: 'sudo apt-get install composer' },
  beside: { program: 'php', usedBy: /(^|[\s/])composer(\s|$)/ },
  failure: {
    command: /^composer install\b/,
    explain: (printed) =>
      UNREACHED.test(printed) ? 'Composer’s registry cannot be reached' : PROBLEM.exec(printed)?.[1],
  },
  manifests: ['composer.json'],
  requires: [{ file: 'composer.json', says: /"require"\s*:\s*\{[^}]*"php"\s*:\s*"([^"]+)/ }],
  roots: ['composer.lock'],
  variables: (
    'PHPRC PHP_INI_SCAN_DIR COMPOSER_HOME COMPOSER_CACHE_DIR COMPOSER_ALLOW_SUPERUSER ' +
    'COMPOSER_DISABLE_NETWORK COMPOSER_MEMORY_LIMIT COMPOSER_NO_INTERACTION'
  ).split(' '),
};

/** What Composer 2 prints if it gets no answer or a refusal, or prints last while it waits for an answer. */
const UNREACHED =
  /curl error \d+|could not be (fully )?(down)?loaded|failed to open stream|Network disabled|package information\s*$/i;

/** "- Root composer.json requires PHP extension ext-pcntl * but it is ...": the first is the cause. */
const PROBLEM = /^\s+- (.+)$/m;
