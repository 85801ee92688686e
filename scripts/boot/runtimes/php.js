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
};
