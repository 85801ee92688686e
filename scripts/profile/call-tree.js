/**
 * The calls of both sides in one tree, which shows from where a function that changed is called.
 * @import { CallFrame, Profile, RunCase } from '../types.js'
 */

import { keyOf, profilesOf } from './changed-functions.js';

/** The least share of a request, with all that is called, that can be seen. */
const LEAST_SHARE = 0.005;
/** Frames are stored, in a file that people read. */
const MOST = 200;
/** A plain Spring server makes calls 70 deep. */
const DEEPEST = 128;

/**
 * Shares of the base and the head: own: in the function itself; whole: with what it calls.
 * @typedef {{ name: string, file: string, line: number, own: [number, number], whole: [number, number],
 *   calls: Map<string, Node> }} Node
 */

/**
 * A parent before its children, the largest of them first, without calls too small to be seen. The ratio is
 * of the CPU time per request, the head's by the base's.
 * @type {(base: RunCase, head: RunCase, ratio: number) => CallFrame[]}
 */
export function callsOf(base, head, ratio) {
  const root = nodeOf({ name: '', file: '', line: 0 });
  [base, head].forEach(({ trials }, side) => {
    const profiled = trials.map(profilesOf).filter(({ us }) => us > 0);
    for (const { profiles, us } of profiled)
      for (const profile of profiles)
        add(root, profile, { side, scale: (side === 1 ? ratio : 1) / (us * profiled.length) });
  });
  addUp(root);
  return flatten(root);
}

/** @type {(place: Pick<Node, 'name' | 'file' | 'line'>) => Node} */
function nodeOf({ name, file, line }) {
  return { name, file, line, own: [0, 0], whole: [0, 0], calls: new Map() };
}

/**
 * The scale is from microseconds to a share of a request.
 * @type {(root: Node, profile: Profile, as: { side: number, scale: number }) => void}
 */
function add(root, profile, { side, scale }) {
  /** @type {Node[]} */
  const nodes = [];
  profile.forEach((entry, place) => {
    const caller = nodes[entry.parent];
    // V8's root is ours.
    if (!caller && entry.name === '(root)') return void nodes.push(root);
    const key = keyOf(profile, place);
    const { calls } = caller ?? root;
    const node = calls.get(key) ?? nodeOf(entry);
    calls.set(key, node);
    nodes.push(node);
    node.own[side] = (node.own[side] ?? 0) + entry.us * scale;
    // The head comes last, so its lines replace the base's.
    node.line = entry.line;
  });
}

/** @param {Node} node */
function addUp(node) {
  node.whole = [...node.own];
  for (const called of node.calls.values()) {
    addUp(called);
    node.whole = [node.whole[0] + called.whole[0], node.whole[1] + called.whole[1]];
  }
}

/**
 * Calls left out are smaller than those kept, so no kept call lacks its caller.
 * @type {(root: Node) => CallFrame[]}
 */
function flatten(root) {
  /** @type {{ node: Node, parent: number }[]} */
  const entries = [];
  const walk = (/** @type {Node} */ { calls }, /** @type {number} */ parent, /** @type {number} */ depth) => {
    const seen = [...calls.values()].filter((node) => sizeOf(node) >= LEAST_SHARE);
    for (const node of seen.sort((a, b) => sizeOf(b) - sizeOf(a))) {
      entries.push({ node, parent });
      if (depth < DEEPEST) walk(node, entries.length - 1, depth + 1);
    }
  };
  walk(root, -1, 1);
  const least = entries.map(({ node }) => sizeOf(node)).sort((a, b) => b - a)[MOST] ?? 0;
  const places = new Map([[-1, -1]]);
  return entries.flatMap(({ node, parent }, index) => {
    if (sizeOf(node) <= least) return [];
    places.set(index, places.size - 1);
    const { name, file, line, own, whole } = node;
    return {
      ...{ parent: places.get(parent) ?? -1, name, file, line },
      basePct: percent(whole[0]),
      headPct: percent(whole[1]),
      ownBasePct: percent(own[0]),
      ownHeadPct: percent(own[1]),
    };
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
