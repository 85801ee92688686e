/**
 * PHP, and Composer.
 * @import { Runtime } from '../runtimes.js'
 */

/** @type {Runtime} */
export const php = {
  label: 'PHP',
  programs: { php: 'sudo apt-get install php-cli', composer: 'sudo apt-get install composer' },
  manifests: ['composer.json'],
  roots: ['composer.lock'],
  variables: [
    ...['PHPRC', 'PHP_INI_SCAN_DIR', 'COMPOSER_HOME', 'COMPOSER_CACHE_DIR'],
    ...['COMPOSER_ALLOW_SUPERUSER', 'COMPOSER_NO_INTERACTION', 'COMPOSER_MEMORY_LIMIT'],
  ],
};
