/**
 * Node's own cluster module.
 * @import { Manager } from '../managers.js'
 */

import { fileURLToPath } from 'node:url';

/** @type {Manager} */
export const cluster = {
  label: 'Node cluster',
  primary: fileURLToPath(new URL('./cluster-primary.cjs', import.meta.url)),
};
