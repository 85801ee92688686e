/**
 * The calls of both sides in one tree, so that a reader sees from where a function that changed is called.
 * @import { CallFrame, Profile, RunCase, Trial } from '../types.js'
 */

import { keyOf } from './functions.js';

/** Of a request, with all it calls: what less is not seen. */
const LEAST_SHARE = 0.005;
/** Frames are kept for good, in a file that people look into. */
const MOST = 200;
/** A plain Spring server makes calls 70 deep. */
const DEEPEST = 128;

/**
 * own: the shares in the function itself; whole: with what it calls; base first, then the head
 * @typedef {{ name: string, file: string, line: number, own: [number, number], whole: [number, number], calls: Map<string, Node> }} Node
 */

/**
 * @param {RunCase} base
 * @param {RunCase} head
 * @param {number} ratio of the CPU time per request, the head's by the base's
 * @returns {CallFrame[]} a parent before its children, the largest of them first; without what is too small to be seen
 */
export function callsOf(base, head, ratio) {
  const root = nodeOf({ name: '', file: '', line: 0 });
  [base, head].forEach(({ trials }, side) => {
    const profiled = trials
      .filter(({ failure }) => !failure)
      .map(profilesOf)
      .filter(({ us }) => us > 0);
    for (const { profiles, us } of profiled)
      for (const profile of profiles)
        add(root, profile, { side, scale: (side === 1 ? ratio : 1) / (us * profiled.length) });
  });
  sum(root);
  return flat(root);
}

/** @param {Trial} trial */
function profilesOf({ windows }) {
  const profiles = windows.flatMap((window) => window.profiles ?? []);
  return { profiles, us: profiles.flat().reduce((total, { us }) => total + us, 0) };
}

/** @param {Pick<Node, 'name' | 'file' | 'line'>} place @returns {Node} */
function nodeOf({ name, file, line }) {
  return { name, file, line, own: [0, 0], whole: [0, 0], calls: new Map() };
}

/**
 * @param {Node} root
 * @param {Profile} profile
 * @param {{ side: number, scale: number }} as scale: from microseconds to a share of a request
 */
function add(root, profile, { side, scale }) {
  /** @type {Node[]} */
  const nodes = [];
  profile.forEach((entry, place) => {
    const caller = nodes[entry.parent];
    // The engine's own root is ours.
    if (!caller && entry.name === '(root)') return void nodes.push(root);
    const key = keyOf(profile, place);
    const { calls } = caller ?? root;
    const node = calls.get(key) ?? nodeOf(entry);
    calls.set(key, node);
    nodes.push(node);
    node.own[side] = (node.own[side] ?? 0) + entry.us * scale;
    // Lines are the head's, where it is there.
    node.line = entry.line;
  });
}

/** @param {Node} node */
function sum(node) {
  node.whole = [...node.own];
  for (const each of node.calls.values()) {
    sum(each);
    node.whole = [node.whole[0] + each.whole[0], node.whole[1] + each.whole[1]];
  }
}

/**
 * Calls left out are smaller than those kept, so no kept call lacks its caller.
 * @param {Node} root
 * @returns {CallFrame[]}
 */
function flat(root) {
  /** @type {{ node: Node, parent: number }[]} */
  const found = [];
  const walk = (/** @type {Node} */ { calls }, /** @type {number} */ parent, /** @type {number} */ depth) => {
    const seen = [...calls.values()].filter((node) => sizeOf(node) >= LEAST_SHARE);
    for (const node of seen.sort((a, b) => sizeOf(b) - sizeOf(a))) {
      found.push({ node, parent });
      if (depth < DEEPEST) walk(node, found.length - 1, depth + 1);
    }
  };
  walk(root, -1, 1);
  const least = found.map(({ node }) => sizeOf(node)).sort((a, b) => b - a)[MOST] ?? 0;
  /** @type {Map<number, number>} */
  const places = new Map([[-1, -1]]);
  return found.flatMap(({ node, parent }, place) => {
    if (sizeOf(node) <= least) return [];
    const { name, file, line, own, whole } = node;
    places.set(place, places.size - 1);
    const [basePct, headPct] = whole.map(percent);
    const [ownBasePct, ownHeadPct] = own.map(percent);
    return /** @type {CallFrame} */ ({
      ...{ parent: places.get(parent), name, file, line },
      ...{ basePct, headPct, ownBasePct, ownHeadPct },
    });
  });
}

/** @param {Node} node */
function sizeOf({ whole }) {
  return Math.max(...whole);
}

/** @param {number} share */
function percent(share) {
  return Math.round(1e4 * share) / 100;
}
