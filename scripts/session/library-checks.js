/**
 * Whether packages can take the place of those that servers have installed, by what their files say.
 * @import { Config, Server } from '../types.js'
 * @import { State } from './library-sides.js'
 */

import { dependenciesOf } from '../deploy/install/packages.js';
import { UserError } from '../model/errors.js';
import { isInRange } from '../model/version-range.js';

/**
 * Those that may have one of the packages installed: without a lock file, the installation will show.
 * @type {(names: string[], config: Pick<Config, 'servers' | 'reference'>) => Server[]}
 * @throws {UserError} where none has
 */
export function serversWith(names, { servers, reference }) {
  const having = servers.filter(({ id, folder }) => {
    const project = id === reference?.id ? undefined : dependenciesOf(folder);
    const { versions, lock } = project ?? {};
    return project && names.some((name) => versions?.has(name) || lock === undefined || lock.includes(name));
  });
  if (having.length > 0) return having;
  throw new UserError(
    `library: no measured server has ${names.join(' or ')} installed; name it in a server's package.json and import it by its name`,
  );
}

/** Throws a UserError if a name differs. @type {(base: State, head: State, folders: string[]) => void} */
export function requireSameNames(base, head, folders) {
  const [before = [], after = []] = [base, head].map(({ made }) => Object.keys(made?.ranges ?? {}));
  const place = after.findIndex((name, index) => name !== before[index]);
  if (place < 0) return;
  throw new UserError(
    `library: the package in ${folders[place] || '.'} is ${before[place]} in ${base.named} and ${after[place]} in ${head.named}; compare commits in which its name is the same, or use --against ${after[place]}@file:FOLDER with a checkout of the other`,
  );
}

/** Throws a UserError for a peer that does not fit. @type {(state: State, servers: Server[]) => void} */
export function requireFit({ named, made }, servers) {
  const packages = Object.entries(made?.ranges ?? {});
  const lines = packages.flatMap(([name, { peerDependencies = {} }]) =>
    servers.flatMap(({ id, folder }) =>
      Object.entries(peerDependencies).flatMap(([peer, range]) => {
        const version = dependenciesOf(folder)?.versions.get(peer);
        if (made?.ranges[peer] || version === undefined || isInRange(version, range)) return [];
        return `library: ${name} of ${named} needs ${peer} ${range}, and server "${id}" has ${version}; install one that fits both sides there`;
      }),
    ),
  );
  if (lines.length > 0) throw new UserError(lines.join('\n'));
}
