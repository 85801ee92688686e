/**
 * Which routes execute changed code, from what each side executed. Where that cannot be known, all routes of
 * the server count as touched.
 * @import { Ran, Recording } from './coverage.js'
 * @import { Piece, Source } from './source.js'
 * @import { Place, Touched, TouchedReason, TouchedWhy } from '../types.js'
 */

import { GENERATED } from './coverage.js';
import { NOTHING, readSource, unitsByRange } from './source.js';

/**
 * A function, or a script that was generated, as it was executed.
 * @typedef {{ key: string, place: Place }} Known
 */

/**
 * @param {{ server: string, routes: string[] }} asked routes: ids
 * @param {Recording} base
 * @param {Recording} head
 * @param {TouchedReason[]} [known] reasons that are known already
 * @returns {Touched} of one server
 */
export function touchedRoutes({ server, routes }, base, head, known = []) {
  const knownFiles = known.flatMap(({ files = [] }) => files);
  const isKnown = (/** @type {string} */ file) => knownFiles.some((path) => `/${path}`.endsWith(`/${file}`));
  const { changed, modules, sides } = changesBetween(base, head);
  const changedIn = (/** @type {(side: Executed) => Map<string, Place>} */ select) =>
    new Map(sides.flatMap((side) => [...select(side)]).filter(([key]) => changed.has(key)));
  const without = (/** @type {Map<string, Place>} */ ran, /** @type {Map<string, Place>[]} */ others) =>
    new Map([...ran].filter(([key]) => others.every((other) => !other.has(key))));
  const start = changedIn((side) => side.start);
  const idle = changedIn((side) => side.idle);
  // What runs between requests is there while one is asked by chance.
  const onRoutes = routes.map((route) => ({
    route,
    ran: without(
      changedIn((side) => side.union(route)),
      [idle],
    ),
  }));
  const first = changedIn((side) => side.first);
  const explained = [start, idle, ...onRoutes.map(({ ran }) => ran)];
  /** @type {[TouchedWhy, Map<string, Place>][]} */
  const ran = [
    ['start', start],
    ['between', without(idle, [start])],
    ['first', without(first, explained)],
    ['unasked', without(changed, [first, ...explained])],
  ];
  /** @type {TouchedReason[]} */
  const reasons = [
    ...known,
    ...beside(base, head, isKnown).map((reason) => ({ server, functions: [], ...reason })),
  ];
  if (modules.length > 0) reasons.push({ server, why: 'module', functions: [], files: modules });
  for (const [why, found] of ran) {
    const functions = listed(found);
    const own = functions.filter(({ file }) => file !== GENERATED);
    if (own.length > 0) reasons.push({ server, why, functions: own });
    if (functions.length > own.length) reasons.push({ server, why: 'generated', functions: [] });
  }
  const why = reasons[0]?.why;
  return {
    reasons,
    routes: onRoutes.map(({ route, ran: own }) => {
      const known = { server, route, touched: true };
      const functions = listed(own);
      if (functions.length > 0 || why) return { ...known, ...(why && { why }), functions };
      if (sides.some(({ timesOf }) => timesOf(route).length === 0))
        return { ...known, why: 'unknown', functions };
      const others = listed(differing(route, sides));
      return others.length > 0
        ? { ...known, why: 'calls', functions: others }
        : { ...known, touched: false, functions };
    }),
  };
}

/**
 * What neither side's functions show.
 * @param {Recording} base
 * @param {Recording} head
 * @param {(file: string) => boolean} isKnown whether a reason names the file already
 * @returns {Pick<TouchedReason, 'why' | 'files'>[]}
 */
function beside(base, head, isKnown) {
  const unseen = new Set([...base.unseen, ...head.unseen]);
  const names = new Set([...base.others.keys(), ...head.others.keys()]);
  const different = [...names].filter((name) => base.others.get(name) !== head.others.get(name));
  const isAssembly = (/** @type {string} */ name) => name.startsWith('wasm:');
  // Many packages read their own version.
  const isOwn = (/** @type {string} */ name) => /^node_modules\/.*\/package\.json$/.test(name);
  const files = different.filter((name) => !isAssembly(name) && !isOwn(name) && !isKnown(name));
  /** @type {Pick<TouchedReason, 'why' | 'files'>[]} */
  const found = [...unseen].map((why) => ({ why }));
  if (base.version !== head.version && !unseen.has('silent')) found.push({ why: 'node' });
  if (different.some(isAssembly)) found.push({ why: 'assembly' });
  if (files.length > 0) found.push({ why: 'file', files });
  return found;
}

/** Functions by key, once for each time. @typedef {ReturnType<typeof executedOn>} Executed */

/**
 * @param {Recording} recording
 * @param {(ran: Ran) => Known | undefined} know
 */
function executedOn({ start, first, idle, routes }, know) {
  const byKey = (/** @type {Ran[]} */ ran) =>
    new Map(ran.flatMap((each) => know(each) ?? []).map(({ key, place }) => [key, place]));
  const times = new Map([...routes].map(([route, all]) => [route, all.map(byKey)]));
  const timesOf = (/** @type {string} */ route) => times.get(route) ?? [];
  return {
    ...{ start: byKey(start), first: byKey(first), idle: byKey(idle), timesOf },
    union: (/** @type {string} */ route) => new Map(timesOf(route).flatMap((time) => [...time])),
  };
}

/**
 * Functions that ran each time on one side and never on the other, not even while nothing was asked.
 * @param {string} route
 * @param {Executed[]} sides
 * @returns {Map<string, Place>}
 */
function differing(route, sides) {
  const always = sides.map(({ timesOf }) => {
    const [time = new Map(), ...others] = timesOf(route);
    return [...time].filter(([key]) => others.every((other) => other.has(key)));
  });
  const atTimes = sides.flatMap(({ idle }) => [...idle]);
  const ever = sides.map(({ union }) => new Map([...union(route), ...atTimes]));
  return new Map(always.flatMap((ran, side) => ran.filter(([key]) => !ever[1 - side]?.has(key))));
}

/**
 * @param {Recording} base
 * @param {Recording} head
 */
function changesBetween(base, head) {
  const pair = [base, head];
  /** Functions of either side, by key. @type {Map<string, Place>} */
  const changed = new Map();
  /** Files in which code outside of functions changed. @type {string[]} */
  const modules = [];
  /**
   * What was executed in a changed file, by side and file.
   * @type {Map<string, (ran: Ran) => Known | undefined>[]}
   */
  const readers = [new Map(), new Map()];
  for (const file of new Set(pair.flatMap(({ files }) => [...files.keys()]))) {
    const texts = pair.map(({ files }) => files.get(file));
    if (texts[0]?.hash === texts[1]?.hash) continue;
    if (file.startsWith(GENERATED)) {
      const whole = { key: file, place: { name: '', file: GENERATED } };
      changed.set(file, whole.place);
      for (const reader of readers) reader.set(file, () => whole);
      continue;
    }
    const [was, is] = texts.map((known) => (known ? readSource(known.text) : NOTHING));
    if (!was || !is) {
      modules.push(file);
      continue;
    }
    const names = changedNames(was, is);
    if (isModuleChanged(was, is, names)) modules.push(file);
    const uses = (/** @type {Piece} */ { words }) => [...names].some((name) => words.has(name));
    for (const [side, { units }] of [was, is].entries()) {
      const others = new Set((side === 0 ? is : was).units.map(({ own }) => own));
      const known = new Map(
        units.map((unit) => {
          const isChanged = !others.has(unit.own) || uses(unit);
          // A function that uses what changed has the same text on both sides.
          const key = `${file} ${unit.own}${isChanged ? ` ${side}` : ''}`;
          const place = { name: unit.name, file, ...(side === 1 && { line: unit.line }) };
          if (isChanged) changed.set(key, place);
          return [unit, { key, place }];
        }),
      );
      const unitIn = unitsByRange(units);
      readers[side]?.set(file, (ran) => {
        const unit = unitIn(ran);
        return unit && known.get(unit);
      });
    }
  }
  const sides = pair.map((recording, side) =>
    executedOn(recording, (ran) => {
      const read = readers[side]?.get(ran.file);
      const { file, name, start, end } = ran;
      return read ? read(ran) : { key: `${file} ${start} ${end}`, place: { name, file } };
    }),
  );
  return { changed, modules, sides };
}

/**
 * @param {Source} was
 * @param {Source} is
 * @returns {Set<string>} names declared outside of functions that may have another value
 */
function changedNames(was, is) {
  const declared = [...was.declared, ...is.declared];
  const names = new Set(
    declared.flatMap(([name, { isFunction }]) => {
      const [before, after] = [was, is].map((source) => source.declared.get(name));
      // A new function is used by functions that changed.
      if (before?.own === after?.own || (isFunction && !(before && after))) return [];
      return name;
    }),
  );
  // A value that is made of others changes with them.
  for (let size = -1; size < names.size;) {
    size = names.size;
    for (const [name, { words }] of declared) if ([...words].some((word) => names.has(word))) names.add(name);
  }
  return names;
}

/**
 * @param {Source} was
 * @param {Source} is
 * @param {Set<string>} names those that changed
 * @returns {boolean} whether code outside of functions does something else, or others get something else
 *   from it than its functions, which are judged by themselves
 */
function isModuleChanged(was, is, names) {
  const isOther = (/** @type {Piece} */ { words }) => [...words].some((word) => names.has(word));
  const effects = [was, is].map((source) => source.effects.map(({ own }) => own).join('\n'));
  if (effects[0] !== effects[1] || is.effects.some(isOther)) return true;
  const isMoved = was !== NOTHING && is !== NOTHING;
  if (isMoved && was.isStrict !== is.isStrict) return true;
  if (isMoved && [...was.exported.keys()].some((name) => !is.exported.has(name))) return true;
  return [...is.exported].some(([name, value]) => {
    const before = was.exported.get(name);
    return isOther(value) || (before ? before.own !== value.own : !value.isName);
  });
}

/**
 * @param {Map<string, Place>} found by key
 * @returns {Place[]} each once, as the head has it where it does
 */
function listed(found) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const place of found.values()) {
    const key = `${place.file} ${place.name}`;
    if (place.name === '' && place.line !== undefined) places.set(`${key}${place.line}`, place);
    else if (places.get(key)?.line === undefined) places.set(key, place);
  }
  const all = [...places.values()];
  const isKnown = (/** @type {Place} */ { name, file, line }) =>
    name === '' && line === undefined && all.some((other) => other.file === file && other.line);
  return all
    .filter((place) => !isKnown(place))
    .toSorted((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)));
}
