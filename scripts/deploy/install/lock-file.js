/** What lock files of npm and pnpm say, and what differs between two of them. */

import { basename } from 'node:path';
import { parse } from 'yaml';

/**
 * @typedef {object} Lock
 * @property {Map<string, Map<string, string | undefined>>} direct by folder of a project, relative to the
 *   lock file: the versions of the packages that its package.json names, where they are known
 * @property {Map<string, Set<string>>} all the versions of every package
 *
 * A package whose version differs; without from it is new, without to gone.
 * @typedef {{ name: string, from?: string, to?: string }} Moved
 */

/** @type {Record<string, (text: string) => Lock>} */
const READERS = {
  'package-lock.json': (text) => ofNpm(JSON.parse(text)),
  'npm-shrinkwrap.json': (text) => ofNpm(JSON.parse(text)),
  'pnpm-lock.yaml': (text) => ofPnpm(parse(text)),
};

/** npm names packages by where they are installed. */
const PLACE = 'node_modules/';

/** Whether it is a lock file that can be read, by its path or name. @type {(file: string) => boolean} */
export function isLock(file) {
  return Object.hasOwn(READERS, basename(file));
}

/**
 * Reads a lock file by its path or name; undefined for another kind, or where it cannot be read.
 * @type {(file: string, text: string) => Lock | undefined}
 */
export function readLock(file, text) {
  try {
    return isLock(file) ? READERS[basename(file)]?.(text) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * packages: those that a package.json names, or all if none of these moved; indirect: how many others moved.
 * @type {(base: Lock, head: Lock) => { packages: Moved[], indirect: number }}
 */
export function movedPackages(base, head) {
  const named = new Set(
    [base, head].flatMap(({ direct }) => [...direct.values()].flatMap((row) => [...row.keys()])),
  );
  const names = [...new Set([...base.all.keys(), ...head.all.keys()])].toSorted();
  const moved = names.flatMap((name) => {
    const before = [...(base.all.get(name) ?? [])];
    const after = [...(head.all.get(name) ?? [])];
    const gone = before.filter((version) => !after.includes(version));
    const added = after.filter((version) => !before.includes(version));
    if (gone.length + added.length === 0) return [];
    // Where one of several versions went or came, the others say from what or to what.
    const from = (gone.length > 0 ? gone : before).join(', ');
    const to = (added.length > 0 ? added : after).join(', ');
    return [{ name, ...(from && { from }), ...(to && { to }) }];
  });
  const direct = moved.filter(({ name }) => named.has(name));
  return direct.length > 0
    ? { packages: direct, indirect: moved.length - direct.length }
    : { packages: moved, indirect: 0 };
}

/**
 * Returns packages of each project that both name at different versions.
 * @type {(base: Lock, head: Lock) => { project: string, name: string, from: string, to: string }[]}
 */
export function movedDirectly(base, head) {
  return [...head.direct].flatMap(([project, versions]) =>
    [...versions].flatMap(([name, to]) => {
      const from = base.direct.get(project)?.get(name);
      return from === undefined || to === undefined || from === to ? [] : [{ project, name, from, to }];
    }),
  );
}

/** Lock files of npm 7 and later. @type {(lock: { packages: Record<string, any> }) => Lock} */
function ofNpm({ packages }) {
  /** @type {Lock} */
  const lock = { direct: new Map(), all: new Map() };
  for (const [path, entry] of Object.entries(packages)) {
    const start = path.lastIndexOf(PLACE);
    if (start >= 0) {
      if (entry.version !== undefined) add(lock, path.slice(start + PLACE.length), entry.version);
      continue;
    }
    const versions = Object.keys(namedIn(entry)).map((name) => [name, installedFor(path, name, packages)]);
    lock.direct.set(path, new Map(/** @type {any} */ (versions)));
  }
  return lock;
}

/**
 * Looks, as Node does, in the folder of the project (its path) or in one above.
 * @type {(path: string, name: string, packages: Record<string, any>) => string | undefined}
 */
function installedFor(path, name, packages) {
  const version = packages[`${path && `${path}/`}${PLACE}${name}`]?.version;
  if (version !== undefined || path === '') return version;
  return installedFor(path.split('/').slice(0, -1).join('/'), name, packages);
}

/** @type {(file: { importers?: Record<string, any>, packages?: Record<string, any> }) => Lock} */
function ofPnpm({ importers, packages = {}, ...only }) {
  /** @type {Lock} */
  const lock = { direct: new Map(), all: new Map() };
  for (const [path, project] of Object.entries(importers ?? { '.': only })) {
    const versions = Object.entries(namedIn(project)).map(([name, entry]) => [
      name,
      plainVersion(entry.version ?? entry),
    ]);
    lock.direct.set(path === '.' ? '' : path, new Map(/** @type {any} */ (versions)));
  }
  for (const key of Object.keys(packages)) {
    const [, name, version] = /^\/?(@?[^@]+)@(.+)$/.exec(key) ?? [];
    if (name !== undefined && version !== undefined) add(lock, name, plainVersion(version));
  }
  return lock;
}

/** @type {(project: Record<string, any>) => Record<string, any>} */
function namedIn({ dependencies, devDependencies, optionalDependencies }) {
  return { ...dependencies, ...devDependencies, ...optionalDependencies };
}

/** pnpm appends peers that it was installed with: "5.2.0(ajv@8.0.0)". @type {(version: string) => string} */
function plainVersion(version) {
  return version.replace(/\(.*/, '');
}

/** @type {(lock: Lock, name: string, version: string) => void} */
function add({ all }, name, version) {
  all.set(name, (all.get(name) ?? new Set()).add(version));
}
