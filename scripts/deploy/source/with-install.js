/**
 * How a project's dependencies are installed, and where.
 * @import { Command, Server } from '../../types.js'
 * @import { Install } from '../runtimes.js'
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBounded, readIfThere } from '../../system/bounded-file.js';
import { workspaceOf } from '../../system/workspaces.js';
import { installOf, PACKAGES } from '../runtimes.js';

/** "npm ci" and "yarn && npx prisma generate" install all that is locked; a package's name only that. */
const INSTALLS_ALL =
  /^\s*((?:npm\s+(?:ci|clean-install|install|i)|pnpm\s+(?:install|i)|yarn(?:\s+install)?)(?:\s+-[\w=-]*)*)\s*(?:&&(.*))?$/s;

/**
 * A fresh checkout has nothing installed, even if the user installed it by hand. Returns it with the command
 * that installs it if its manifest has none.
 * @type {(server: Server) => Server}
 */
export function withInstall(server) {
  const install = server.install === undefined ? installIn(server.folder) : undefined;
  if (!install) return server;
  // A lock file that it wrote would be the project's own in the next run.
  const flags = install.lock ? [] : ['--no-package-lock'];
  return { ...server, install: [...install.command.split(' '), ...flags] };
}

/**
 * A lock file of a folder above is only its workspace's. Undefined for a project without dependencies.
 * @type {(folder: string) => Install | undefined}
 */
export function installIn(folder) {
  const packages = PACKAGES.find(({ manifest }) => existsSync(join(folder, manifest)));
  if (!packages) return undefined;
  const searched = [folder, workspaceOf(folder, readIfThere) ?? []].flat();
  const install = installOf(packages, (file) => {
    return readIfThere(searched.map((above) => join(above, file)).find(existsSync) ?? '');
  });
  const isBare =
    !install.lock && !install.says?.test(readBounded(join(folder, packages.manifest)).toString());
  return isBare ? undefined : install;
}

/**
 * In a member's folder, the server's, npm would remove the other members' packages.
 * @type {(command: Command, folder: string) => { command: Command, cwd: string }[]}
 */
export function installSteps(command, folder) {
  const [, all, rest] = INSTALLS_ALL.exec([command].flat().join(' ')) ?? [];
  const top = all && workspaceOf(folder, readIfThere);
  if (!top) return [{ command, cwd: folder }];
  return [{ command: all, cwd: top }, ...(rest ? [{ command: rest.trim(), cwd: folder }] : [])];
}
