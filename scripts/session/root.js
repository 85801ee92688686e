/** Where this program's own servers, profiles and scripts lie. */

import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
