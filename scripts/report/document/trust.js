/**
 * How far to trust a verdict: what was compared with what, the run's noise, and the rate of false alarms.
 * @import { Comparison, LeftOut, Run, StoredRuns } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { median } from 'd3-array';
import { levelOf } from '../../samples/case-figures.js';
import { isTooWide } from '../text/format.js';
import { plain, sentence, shortSha } from '../text/inline.js';

/** Labels of the sides of a run. */
const SIDES = new Set(['base', 'head']);
/** The order of the reasons. @type {LeftOut[]} */
const CODES = ['gate-failed', 'before-a-change', 'older', 'other-machine', 'no-reference', 'other-cases'];

/** Commits are named up to this many; more are counted. */
const NAMED = 3;

/**
 * What was compared with what, the run's own noise, and the promise have a sentence each.
 * @type {(comparison: Comparison, head: Pick<Run, 'cases' | 'revision'>, words: Words) => string[]}
 */
export function trust(comparison, head, words) {
  const { base, method, against, reference, promise, cases } = comparison;
  const { trust: phrases } = words;
  const site = head.revision?.site;
  const other = baseText(base, { words, site });
  const compared = {
    'side-by-side':
      against === 'self'
        ? phrases.itself
        : (packagesText(comparison, words) ??
          phrases.sideBySide(against === undefined ? other : refText(base, against, { words, site }))),
    stored: phrases.stored(other, { runs: base.runs, reference: reference !== undefined }),
    'other-machine': phrases.otherMachine(other),
  };
  const { effectPct = 0, ciPct = [0, 0] } = reference ?? {};
  const shift = isTooWide(ciPct) ? phrases.noisyReference : phrases.reference(effectPct, ciPct);
  return [
    compared[method],
    ...storedText(base.stored, words, site),
    ...(reference ? [shift] : []),
    ...(method === 'side-by-side' ? noiseText(comparison, head, words) : []),
    sentence(phrases.promise(promise)),
    ...(cases.some(({ metrics }) => metrics.some(({ ciPct }) => ciPct)) ? [phrases.intervals] : []),
  ];
}

/**
 * A sentence, where two runs were measured apart and anything differs.
 * @type {(comparison: Pick<Comparison, 'differs'>, words: Words) => string[]}
 */
export function differences({ differs = [] }, { trust: phrases, facts, list, within }) {
  if (differs.length === 0) return [];
  const changes = differs.map(({ fact, base, head }) =>
    plain(`${within(facts[fact] ?? fact)} ${base} → ${head}`, 120),
  );
  return [phrases.differs(list(changes))];
}

/**
 * The typical case, and how busy servers were: whether the tool or the machine set the limit. A single round
 * shows nothing.
 * @type {(comparison: Comparison, head: Pick<Run, 'cases'>, words: Words) => string[]}
 */
function noiseText({ cases }, head, { trust: phrases }) {
  const noiseOf = (/** @type {string} */ id) =>
    median(cases, ({ metrics }) => metrics.find(({ metric }) => metric === id)?.noisePct);
  const [cpu, throughput] = [noiseOf('cpuPerRequest'), noiseOf('throughput')];
  if (throughput === undefined) return [];
  const own = head.cases.filter(({ reference }) => !reference);
  const cores = median(own, (runCase) => levelOf(runCase, 'serverCores')?.value);
  return [phrases.noise({ cpu, throughput, cores })];
}

/** The site is the repository's page. @typedef {{ words: Words, site: string | undefined }} Place */

/** The base is a run that was stored. @type {(base: Comparison['base'], place: Place) => string} */
function baseText({ label, sha, ref, startedAt }, { words, site }) {
  const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/.exec(startedAt ?? '');
  const when = time ? `${time[1]} ${time[2]} UTC` : plain(startedAt ?? words.trust.unknownTime);
  // Which side of its own run it was says nothing here.
  const name = label === undefined || SIDES.has(label) ? '' : plain(label, 80);
  const place = [ref && plain(ref, 80), commitText(sha, { words, site })].filter(Boolean).join(', ');
  return words.trust.run({ name, when, place });
}

/** Undefined if both have the same. @type {(comparison: Comparison, words: Words) => string | undefined} */
function packagesText({ base, head }, words) {
  if (!base.library || base.versions) return undefined;
  const { packages, servers } = base.library;
  const sideText = (/** @type {Comparison['base']} */ { sha, library }) => {
    const place = library?.of ?? (library && sha && shortSha(sha));
    const names = packages.map((name) => plain(name, 80));
    return words.trust.packagesOf(names, place === undefined ? undefined : plain(place, 80));
  };
  const places = servers.map((server) => plain(server, 80));
  return words.trust.ofPackages({ head: sideText(head), base: sideText(base), servers: places });
}

/**
 * The name that a base was asked for by may be the commit's own.
 * @type {(base: Comparison['base'], against: string, place: Place) => string}
 */
export function refText({ sha, versions }, against, { words, site }) {
  if (versions) {
    const names = Object.entries(versions).map(([name, version]) => plain(`${name} ${version}`, 80));
    return words.trust.withVersions(plain(against, 80), words.list(names));
  }
  const commit = commitText(sha, { words, site });
  if (commit && sha?.startsWith(against)) return commit;
  const name = against === 'base' ? words.trust.theBase : plain(against, 80);
  return commit ? `${name} (${commit})` : name;
}

/**
 * Returns "Node 24.16.0", "Node 24.17.0": the sides of one commit, by what differs. The run is the head.
 * @type {(run: Run, comparison: Comparison, words: Words) => { base: string, head: string } | undefined}
 */
export function versionNames({ environment: { runtimes = {} }, warnings = [] }, comparison, words) {
  const { base, head, differs = [] } = comparison;
  const nameIn = (/** @type {string} */ key) => key.split('@')[0];
  const moved = warnings.flatMap((warning) => (warning.code === 'packages-moved' ? warning.packages : []));
  const named = Object.entries(base.versions ?? {}).map(([fact, version]) => {
    const own = `${fact}@${version}`;
    const other = Object.keys(runtimes).find((key) => key !== own && nameIn(key) === fact);
    const to = other === undefined ? moved.find(({ name }) => name === fact)?.to : runtimes[other];
    return { fact, base: runtimes[own] ?? version, head: to };
  });
  const isOneCommit = head.sha !== undefined && base.sha === head.sha;
  const known = [...named, ...(isOneCommit ? differs.filter(({ fact }) => fact in runtimes) : [])];
  if (known.every((row) => row.head === undefined)) return undefined;
  const textOf = (/** @type {'base' | 'head'} */ side) =>
    words.list(
      known.map(({ fact, ...versions }) => {
        const isRuntime = Object.keys(runtimes).some((key) => nameIn(key) === fact);
        const name = isRuntime ? fact.charAt(0).toUpperCase() + fact.slice(1) : fact;
        return plain([name, versions[side]].filter(Boolean).join(' '), 80);
      }),
    );
  return { base: textOf('base'), head: textOf('head') };
}

/** @type {(sha: string | undefined, place: Place) => string | undefined} */
function commitText(sha, { words, site }) {
  return sha === undefined ? '' : words.trust.commit(shortSha(sha, site));
}

/** Names runs left out. @type {(stored: StoredRuns | undefined, words: Words, site?: string) => string[]} */
export function storedText(stored, words, site) {
  const { used = [], left = [] } = stored ?? {};
  if (left.length === 0) return [];
  const reasons = CODES.flatMap((code) => {
    const alike = left.filter(({ why }) => why === code);
    const commits = alike.flatMap(({ sha }) => (sha === undefined ? [] : [shortSha(sha, site)]));
    // Only of these can a reader do something about it.
    const isNamed = code === 'gate-failed' && commits.length > 0 && commits.length <= NAMED;
    const named = isNamed ? ` (${words.list(commits)})` : '';
    return alike.length === 0 ? [] : [{ code, number: alike.length, commits: named }];
  });
  return [words.trust.leftOut({ used: used.length, all: used.length + left.length, left: reasons })];
}
