/**
 * Which routes execute changed code, from what each side executed. Where that cannot be known, all routes of
 * the server count as touched.
 * @import { Ran, Recording } from './coverage.js'
 * @import { Piece, Source, Unit } from './source.js'
 * @import { Place, Touched, TouchedReason } from '../types.js'
 */

import { group } from 'd3-array';
import { GENERATED } from './coverage.js';
import { NOTHING, readSource, unitsByRange } from './source.js';

/** @typedef {TouchedReason['why']} Why */

const fileOf = (/** @type {string} */ file) => ({ name: '', file });

/**
 * @param {{ server: string, routes: string[] }} asked routes: ids
 * @param {Recording[]} pair base and head
 * @param {TouchedReason[]} [known] reasons that are known already
 * @returns {Touched} of one server
 */
export function touchedRoutes({ server, routes }, pair, known = []) {
  const { changed, modules, places, keyOf } = changesBetween(pair);
  const reasons = [...known];
  const add = (/** @type {Why} */ why, /** @type {Place[]} */ named = []) =>
    reasons.push({ server, why, places: named });
  const placesOf = (/** @type {string[]} */ keys) => listed(keys.flatMap((key) => places.get(key) ?? []));
  const either = (/** @type {(recording: Recording) => Ran[]} */ select) =>
    new Set(pair.flatMap((recording, side) => select(recording).flatMap((ran) => keyOf(ran, side))));
  const start = either((one) => one.start);
  const idle = either((one) => one.idle);
  const first = either((one) => one.first);
  const asked = routes.map((route) => ({
    route,
    times: pair.map((recording, side) =>
      (recording.routes.get(route) ?? []).map((time) => new Set(time.flatMap((ran) => keyOf(ran, side)))),
    ),
  }));
  const all = asked.flatMap(({ times }) => times);
  const ever = new Set(all.flat().flatMap((time) => [...time]));
  const always = new Set(
    all.flatMap(([first = new Set(), ...others]) =>
      [...first].filter((key) => others.every((time) => time.has(key))),
    ),
  );
  // What a timer runs is there while one route or another is asked by chance, and not each time.
  const isBetween = (/** @type {string} */ key) =>
    idle.has(key) || (ever.has(key) && !always.has(key) && !key.startsWith(GENERATED));
  const onRoutes = asked.map(({ route, times }) => {
    const ran = new Set(times.flat().flatMap((time) => [...time]));
    return { route, times, own: [...ran].filter((key) => changed.has(key) && !isBetween(key)) };
  });
  addBeside(pair, known, add);
  if (modules.length > 0) add('module', modules);
  const onAny = new Set(onRoutes.flatMap(({ own }) => own));
  const byWhy = group(changed, (key) => {
    if (onAny.has(key) && !start.has(key)) return undefined;
    if (key.startsWith(GENERATED)) return 'generated';
    return start.has(key) ? 'start' : isBetween(key) ? 'between' : first.has(key) ? 'first' : 'unasked';
  });
  for (const why of /** @type {const} */ (['start', 'between', 'first', 'unasked', 'generated']))
    if (byWhy.has(why)) add(why, why === 'generated' ? [] : placesOf(byWhy.get(why) ?? []));
  return {
    reasons,
    routes: onRoutes.map(({ route, times, own }) => {
      const ofRoute = { server, route, touched: true, functions: placesOf(own) };
      const why = reasons[0]?.why;
      if (own.length > 0 || why) return { ...ofRoute, ...(why && { why }) };
      if (times.some(({ length }) => length === 0)) return { ...ofRoute, why: 'unknown' };
      // They run each time on one side and never on the other, not even while nothing is asked.
      const calls = times.flatMap(([time, ...others], side) =>
        [...(time ?? [])].filter((key) => {
          const isOnOther = idle.has(key) || times[1 - side]?.some((other) => other.has(key));
          return !isOnOther && others.every((other) => other.has(key));
        }),
      );
      return calls.length > 0
        ? { ...ofRoute, why: 'calls', functions: placesOf(calls) }
        : { ...ofRoute, touched: false };
    }),
  };
}

/**
 * Adds what neither side's functions show.
 * @type {(pair: Recording[], known: TouchedReason[], add: (why: Why, places?: Place[]) => void) => void}
 */
function addBeside(pair, known, add) {
  /** @type {Set<Why>} */
  const unseen = new Set(pair.flatMap((one) => (one.version ? one.unseen : [...one.unseen, 'silent'])));
  for (const why of unseen) add(why);
  if (pair[0]?.version !== pair[1]?.version && !unseen.has('silent')) add('node');
  const [before, after] = pair.map(({ others }) => others);
  const different = [...new Set(pair.flatMap(({ others }) => [...others.keys()]))].filter(
    (name) => before?.get(name) !== after?.get(name),
  );
  const isAssembly = (/** @type {string} */ name) => name.startsWith('wasm:');
  if (different.some(isAssembly)) add('assembly');
  // Many packages read their own version; a changed file of the repository is named from its top.
  const isKnown = (/** @type {string} */ name) =>
    isAssembly(name) ||
    /^node_modules\/.*\/package\.json$/.test(name) ||
    known.some(({ places }) => places.some(({ file }) => `/${file}`.endsWith(`/${name}`)));
  const files = different.filter((name) => !isKnown(name));
  if (files.length > 0) add('file', files.map(fileOf));
}

/**
 * changed: keys of functions, and of scripts that were generated; equal ones of both sides have one key.
 * modules: files in which code outside of functions changed
 * @param {Recording[]} pair
 */
function changesBetween(pair) {
  /** @type {Set<string>} */
  const changed = new Set();
  /** @type {Place[]} */
  const modules = [];
  /** By key. @type {Map<string, Place>} */
  const places = new Map();
  /** Of changed files, by side and file. @type {Map<string, (ran: Ran) => string[]>[]} */
  const readers = [new Map(), new Map()];
  for (const file of new Set(pair.flatMap(({ files }) => [...files.keys()]))) {
    const texts = pair.map(({ files }) => files.get(file));
    if (texts[0] === texts[1]) continue;
    if (file.startsWith(GENERATED)) {
      changed.add(file);
      continue;
    }
    const [was, is] = texts.map((text) => (text === undefined ? NOTHING : readSource(text)));
    const { isModuleChanged, uses } = was && is ? compareModules(was, is) : { isModuleChanged: true };
    if (isModuleChanged) modules.push(fileOf(file));
    if (!was || !is) continue;
    for (const [side, { units }] of [was, is].entries()) {
      const others = new Set((side === 0 ? is : was).units.map(({ own }) => own));
      /** @type {Map<Unit | undefined, string[]>} */
      const keys = new Map();
      for (const unit of units) {
        const isChanged = !others.has(unit.own) || uses?.(unit);
        // A function that uses what changed has the same text on both sides.
        const key = `${file} ${unit.own}${isChanged ? ` ${side}` : ''}`;
        keys.set(unit, [key]);
        places.set(key, { name: unit.name || unit.around, file, ...(side === 1 && { line: unit.line }) });
        if (isChanged) changed.add(key);
      }
      const unitIn = unitsByRange(units);
      readers[side]?.set(file, (ran) => keys.get(unitIn(ran)) ?? []);
    }
  }
  /** @type {(ran: Ran, side: number) => string[]} */
  const keyOf = (ran, side) => {
    const { file, name, start, end } = ran;
    const read = readers[side]?.get(file);
    if (read) return read(ran);
    const isGenerated = file.startsWith(GENERATED);
    const key = isGenerated ? file : `${file} ${start} ${end}`;
    places.set(key, isGenerated ? fileOf(GENERATED) : { name, file });
    return [key];
  };
  return { changed, modules, places, keyOf };
}

/**
 * isModuleChanged: code outside of functions does something else, or others get something else from it than
 * functions, which are judged by themselves; uses: whether code reads what is declared otherwise.
 * @type {(was: Source, is: Source) => { isModuleChanged: boolean, uses: (piece: Piece) => boolean }}
 */
function compareModules(was, is) {
  const owns = [was, is].map(({ parts }) => new Set(parts.map(({ own }) => own)));
  const isInBoth = (/** @type {Piece} */ { own }) => owns.every((each) => each.has(own));
  const other = [...was.parts, ...is.parts].filter((part) => !isInBoth(part));
  const names = new Set(other.flatMap((part) => [...(part.names ?? [])]));
  const uses = (/** @type {Piece} */ { words }) => [...words].some((word) => names.has(word));
  const effectsIn = (/** @type {Source} */ { parts }) =>
    parts.flatMap((part) => (part.names || part.isExport ? [] : part.own)).join('\n');
  const isMoved = was !== NOTHING && is !== NOTHING;
  const isModuleChanged =
    effectsIn(was) !== effectsIn(is) ||
    is.parts.some((part) => isInBoth(part) && uses(part)) ||
    (isMoved && (was.header !== is.header || was.parts.some((part) => part.isExport && !isInBoth(part))));
  return { isModuleChanged, uses };
}

/** Sorted, as the head has them where it does. @type {(found: Place[]) => Place[]} */
function listed(found) {
  const places = found.toSorted((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0),
  );
  return [...group(places, ({ file, name }) => `${file} ${name}`).values()].flatMap((same) => {
    const inHead = same.filter(({ line }) => line !== undefined);
    return inHead.length > 0 ? inHead : same.slice(0, 1);
  });
}
