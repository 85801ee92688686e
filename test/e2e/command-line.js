/** The command line in a folder of its own, for end-to-end tests. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT, runCli } from './tools.js';
import { scratchFolder } from '../scratch.js';

export const CLI = join(ROOT, 'scripts/cli.js');
const TOYS = fileURLToPath(new URL('../deploy/toys/', import.meta.url));

/** Options of a run that takes a second. */
export const QUICK = '--routes / --connections 8 --duration 1s --warmup 0 --rounds 1'.split(' ');
export const ALONE = ['--reference', 'off'];

/** Where commands run; removed after the tests of a file. */
export const folder = scratchFolder();

/** @param {string[]} args */
export const cli = (...args) => runCli(args, { cwd: folder });

/** The folder of a server that behaves so. @type {(behaviour: string) => string} */
export function toyFolder(behaviour) {
  const home = join(folder, behaviour);
  mkdirSync(home, { recursive: true });
  const timeout = behaviour === 'never-ready' ? '2s' : '30s';
  writeFileSync(
    join(home, 'server.yml'),
    `start: [node, ${JSON.stringify(join(TOYS, 'toy.js'))}, ${behaviour}]\nready: { timeout: ${timeout} }\nroutes:\n  - path: /\n    expect: { body: Hello World! }\n`,
  );
  return `./${behaviour}`;
}
