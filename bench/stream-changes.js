/** Changes to the built-in server that streams, and what a comparison says of each. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { initRepository } from './copy-repository.js';
import { perfAction } from './perf-action.js';

const SERVER = fileURLToPath(new URL('../servers/streaming', import.meta.url));
const OPTIONS = '--connections 8 --duration 1s --warmup 1s --reference off --fail-on never';

/**
 * Replaces `from` in the server's code; decisive: the figure that decides.
 * @typedef {{ what: string, route: string, from: string, to: string, verdict: string, decisive: string }}
 *   Change
 */

const LATER = { what: 'begins a fifth later', from: '= [50, 20]', to: '= [60, 20]' };
const BUFFERS = {
  what: 'buffers its answer',
  from: 'response.write(route.write(piece));\n  }\n  response.end();',
  to: `if (route.pieces === Infinity) response.write(route.write(piece));
    else response.text = (response.text ?? '') + route.write(piece);
  }
  response.end(response.text);`,
};
const PAUSES = { what: 'pauses a quarter longer between events', from: '= [50, 20]', to: '= [50, 25]' };
const UNCHANGED = { what: 'is unchanged', from: '', to: '', verdict: 'same', decisive: 'firstByteP50' };
const BEGINS = { verdict: 'regressed', decisive: 'firstByteP50' };

export const CHANGES = {
  buffers: { ...BUFFERS, ...BEGINS, route: '/events' },
  later: { ...LATER, ...BEGINS, route: '/answer' },
  laterEndless: { ...LATER, ...BEGINS, route: '/endless' },
  pauses: { ...PAUSES, verdict: 'regressed', decisive: 'longestGapP50', route: '/events' },
  unchanged: { ...UNCHANGED, route: '/answer' },
  unchangedEndless: { ...UNCHANGED, route: '/endless' },
};

/**
 * @param {Change} change
 * @param {string[]} options
 * @returns {Promise<import('../scripts/types.js').CaseComparison>} of a checkout that has the change and its
 *   commit
 */
export async function judgeChange({ route, from, to }, options) {
  const folder = mkdtempSync(join(tmpdir(), 'perf-streams-'));
  try {
    cpSync(SERVER, folder, { recursive: true });
    initRepository(folder);
    const file = join(folder, 'server.js');
    const code = readFileSync(file, 'utf8');
    if (!code.includes(from)) throw new Error(`the server's code has no ${from}`);
    writeFileSync(file, `${code.replace(from, to)}// head\n`);
    const asked = ['run', '--servers', '.', '--against', 'HEAD', '--routes', route, ...OPTIONS.split(' ')];
    await perfAction(folder, [...asked, ...options]);
    return JSON.parse(readFileSync(join(folder, 'perf-results/comparison.json'), 'utf8')).cases[0];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
