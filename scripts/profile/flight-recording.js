/**
 * Reads a flight recording's execution samples from `jfr print` as it writes: JSON is 25 times longer.
 * @import { Profile } from '../types.js'
 */

import { greatest } from 'd3-array';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Classes that a JVM makes while it runs, with another name in every start: their time is their caller's. */
const MADE = /\$\$Lambda|LambdaForm\$D?MH|\$Proxy\d+$|Generated\w+Accessor\d+$/;
/** Compilers number what has no name, so one more of it renames all others. */
const NUMBERED = /^lambda\$(.+)\$\d+$/;

/** A sampled call. @typedef {{ type: string, method: string, line: number }} Frame */

/**
 * @param {AsyncIterable<string>} lines of `jfr print --events jdk.ExecutionSample`, in UTC
 * @param {{ from: number, to: number }} window milliseconds since 1970
 * @returns {Promise<Frame[][]>} the stacks of the samples in the window, each from the outermost call on
 */
export async function samplesOf(lines, { from, to }) {
  /** @type {Frame[][]} */
  const samples = [];
  // Most of the millions of lines are alike.
  /** @type {Map<string, Frame[]>} */
  const known = new Map();
  const framesOf = (/** @type {string} */ line) => {
    const frames = known.get(line) ?? parse(line);
    known.set(line, frames);
    return frames;
  };
  let isWanted = false;
  /** @type {Frame[] | undefined} */
  let stack;
  for await (const line of lines) {
    const time = /^\s*startTime = (\d+):(\d+):(\d+\.\d+)/.exec(line);
    // Not every version prints the day.
    if (time) isWanted = sinceMs(time, from) <= to - from;
    else if (/^\s*stackTrace = \[/.test(line)) stack = [];
    else if (stack && /^\s*\]/.test(line)) {
      if (isWanted && stack.length > 0) samples.push(stack.reverse());
      stack = undefined;
    } else if (stack && isWanted) stack.push(...framesOf(line));
  }
  return samples;
}

/** Takes a time of a day; `from` is ms since 1970. @type {(time: RegExpExecArray, from: number) => number} */
function sinceMs([, hours, minutes, seconds], from) {
  const timeMs = 1000 * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
  return (((timeMs - from) % DAY_MS) + DAY_MS) % DAY_MS;
}

/** Reads `a.B.c() line: 12`; none if it is no call, or the JVM made it. @type {(line: string) => Frame[]} */
function parse(line) {
  const [, type, method, number = '0'] = /^\s*([^(]+)\.([^.(]+)\(.*?\)(?:\s+line:\s*(\d+))?/.exec(line) ?? [];
  if (type === undefined || method === undefined || MADE.test(type)) return [];
  return [{ type, method: method.replace(NUMBERED, '$1 (lambda)'), line: Number(number) }];
}

/**
 * A method has its busiest line, itself or what it calls, since its first line is unknown. `us` is per
 * sample; `fileOf` finds the source file of a class.
 * @type {(samples: Frame[][], options: { us: number, fileOf: (type: string) => string }) => Profile}
 */
export function profileOf(samples, { us, fileOf }) {
  /** @type {Profile} */
  const profile = [];
  /** @type {Map<string, number>} */
  const places = new Map();
  /** How often each line of a method was seen. @type {Map<string, Map<number, number>>} */
  const lines = new Map();
  for (const stack of samples) {
    let parent = -1;
    for (const { type, method, line } of stack) {
      const name = `${type.slice(type.lastIndexOf('.') + 1)}.${method}`;
      const file = fileOf(type);
      const seen = lines.get(`${file}\n${name}`) ?? new Map();
      lines.set(`${file}\n${name}`, seen.set(line, (seen.get(line) ?? 0) + 1));
      const call = `${parent}\n${file}\n${name}`;
      const place = places.get(call) ?? profile.push({ parent, name, file, line, us: 0 }) - 1;
      places.set(call, place);
      parent = place;
    }
    const own = profile[parent];
    if (own) own.us += us;
  }
  const busiestLine = (/** @type {Profile[number]} */ { name, file, line }) =>
    greatest(lines.get(`${file}\n${name}`) ?? [], ([, times]) => times)?.[0] ?? line;
  return profile.map((entry) => ({ ...entry, line: busiestLine(entry) }));
}
