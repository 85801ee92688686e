/** Ways from a step to programs outside it that have more rights: closed before anything measured starts. */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Every .NET program loads a library for whoever has its user, and one of them is the runner's worker, which holds the job's
 * secrets. They lie in that program's TMPDIR: https://learn.microsoft.com/dotnet/core/diagnostics/diagnostic-port
 */
const DIAGNOSTICS = /^(dotnet-diagnostic|clr-debug-pipe)-/;
const SOCKETS = '/proc/net/unix';

/** Has no rights. */
const NOGROUP = 65_534;

/** Removes the diagnostic sockets and pipes of this user's .NET programs. Only tools for developers use them. */
export function removeDiagnostics() {
  const sockets = existsSync(SOCKETS) ? readFileSync(SOCKETS, 'utf8').match(/(?<= )\/.*$/gm) : [];
  const folders = (sockets ?? []).filter((path) => path.includes('/dotnet-diagnostic-')).map(dirname);
  for (const folder of new Set(['/tmp', ...folders]).values())
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      if (DIAGNOSTICS.test(name))
        try {
          rmSync(join(folder, name));
        } catch {
          // Another user's, who alone may connect to it.
        }
}

/**
 * On hosted runners, one of the groups is Docker's, with which any program becomes root: the first one on Ubuntu 22.04.
 * @returns {string[] | undefined} a command that runs another as this user without groups; undefined where there is none
 */
export function withoutGroups() {
  const sudo = ['/usr/bin/sudo', '-n', '--'];
  const user = [`--reuid=${process.getuid?.()}`, `--regid=${NOGROUP}`, '--clear-groups', '--'];
  const [program = '', ...args] = [...sudo, '/usr/bin/setpriv', ...user];
  return spawnSync(program, [...args, '/bin/true']).status === 0 ? [program, ...args] : undefined;
}
