/**
 * Runtimes of which nothing but their programs need be known.
 * @import { Runtime } from '../runtimes.js'
 */

/** @type {Runtime} */
export const bun = { label: 'Bun', cores: 1, programs: { bun: 'npm install --global bun' } };

/** @type {Runtime} */
export const deno = { label: 'Deno', cores: 1, programs: { deno: 'npm install --global deno' } };

/** @type {Runtime} */
export const ruby = {
  label: 'Ruby',
  programs: { ruby: 'sudo apt-get install ruby', bundle: 'sudo apt-get install ruby-bundler' },
};
