/**
 * The execution samples of a flight recording, as `jfr print` writes them, read while it writes: as JSON they take 25 times as much.
 * @import { Profile } from '../types.js'
 */

const DAY_MS = 24 * 60 * 60 * 1000;

/** What a JVM makes while it runs, under another name in every boot: its time is its caller's. */
const MADE = /\$\$Lambda|LambdaForm\$D?MH|\$Proxy\d+$|Generated\w+Accessor\d+$/;

/** Compilers number what has no name, and a new one renames all others. */
const NUMBERED = /^lambda\$(.+)\$\d+$/;

/** A sampled call. @typedef {{ type: string, method: string, line: number }} Frame */

/**
 * @param {AsyncIterable<string>} lines of `jfr print --events jdk.ExecutionSample`, in UTC
 * @param {{ from: number, to: number }} window milliseconds since 1970
 * @returns {Promise<Frame[][]>} of each sample in the window, the outermost call first
 */
export async function samplesOf(lines, { from, to }) {
  /** @type {Frame[][]} */
  const samples = [];
  // Most of the millions of lines are alike.
  /** @type {Map<string, Frame[]>} */
  const known = new Map();
  const framesOf = (/** @type {string} */ line) => {
    const found = known.get(line) ?? parsed(line);
    known.set(line, found);
    return found;
  };
  let wanted = false;
  /** @type {Frame[] | undefined} */
  let stack;
  for await (const line of lines) {
    const at = /^\s*startTime = (\d+):(\d+):(\d+\.\d+)/.exec(line);
    // Not every version tells the day.
    if (at) wanted = sinceMs(at, from) <= to - from;
    else if (/^\s*stackTrace = \[/.test(line)) stack = [];
    else if (stack && /^\s*\]/.test(line)) {
      if (wanted && stack.length > 0) samples.push(stack.reverse());
      stack = undefined;
    } else if (stack && wanted) stack.push(...framesOf(line));
  }
  return samples;
}

/** @param {RegExpExecArray} time of a day @param {number} from milliseconds since 1970 */
function sinceMs([, hours, minutes, seconds], from) {
  const ofDay = 1000 * (3600 * Number(hours) + 60 * Number(minutes) + Number(seconds));
  return (((ofDay - from) % DAY_MS) + DAY_MS) % DAY_MS;
}

/**
 * @param {string} line like `shop.Json.write(String, int) line: 12`
 * @returns {Frame[]} none of what is no call, or made by the JVM
 */
function parsed(line) {
  const [, type, method, number = '0'] = /^\s*([^(]+)\.([^.(]+)\(.*?\)(?:\s+line:\s*(\d+))?/.exec(line) ?? [];
  if (type === undefined || method === undefined || MADE.test(type)) return [];
  return [{ type, method: method.replace(NUMBERED, '$1 (lambda)'), line: Number(number) }];
}

/**
 * @param {Frame[][]} samples
 * @param {{ us: number, fileOf: (type: string) => string }} how us: that each stands for; fileOf: where a class was written
 * @returns {Profile} a method's line is its busiest, in itself or in what it calls, since nothing tells where it begins
 */
export function profileOf(samples, { us, fileOf }) {
  /** @type {Profile} */
  const profile = [];
  /** @type {Map<string, number>} */
  const places = new Map();
  /** How often each of a method's lines was seen. @type {Map<string, Map<number, number>>} */
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
  const busiest = (/** @type {Profile[number]} */ { name, file, line }) =>
    [...(lines.get(`${file}\n${name}`) ?? [])].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? line;
  return profile.map((entry) => ({ ...entry, line: busiest(entry) }));
}
