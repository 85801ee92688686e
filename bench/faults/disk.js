/**
 * The disk is full while a run writes its results: a file system of a few pages, in a separate mount
 * namespace.
 */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GOOD, QUICK, writeServer } from '../provoke.js';

const CLI = fileURLToPath(new URL('../../scripts/cli.js', import.meta.url));

/** @type {import('../faults.js').Row[]} */
export const rows = [
  {
    fault: 'the disk is full after the first results',
    promised: 'one line, exit 2, and the run file is the last whole one',
    slow: true,
    async run(scratch) {
      const server = writeServer(scratch, 'good', { code: GOOD });
      const out = join(scratch, 'out');
      mkdirSync(out);
      // Copied out before the namespace ends, and with it the file system.
      const script = [
        'mount -t tmpfs -o size=16k none out',
        `"$0" "${CLI}" run "$@" 2>printed; echo $? >code`,
        'cp out/unfinished/run.json kept.json',
      ].join('\n');
      const args = [`--servers=${server}`, ...QUICK, '--rounds=20', '--out=out'];
      const env = { ...process.env, TMPDIR: join(scratch, 'tmp'), XDG_CACHE_HOME: join(scratch, 'cache') };
      const unshare = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
      await new Promise((resolve) =>
        execFile(
          'unshare',
          [...unshare, 'sh', '-c', script, process.execPath, ...args],
          { cwd: scratch, env },
          resolve,
        ),
      );
      if (!existsSync(join(scratch, 'code'))) throw new Error('no mount namespace is to be had here');
      const last = readFileSync(join(scratch, 'printed'), 'utf8').trim().split('\n').at(-1) ?? '';
      const code = Number(readFileSync(join(scratch, 'code'), 'utf8'));
      /** @type {import('../../scripts/types.js').Run} */
      const { unfinished, cases } = JSON.parse(readFileSync(join(scratch, 'kept.json'), 'utf8'));
      const starts = cases[0]?.trials.length ?? 0;
      return {
        happened: `exit ${code}: ${last}; ${starts} starts in the run file`,
        lost: starts > 0 ? 0 : 1,
        holds: code === 2 && unfinished !== undefined && /ENOSPC/.test(last),
      };
    },
  },
];
