/** What differs between two runs' machines or days. @import { Comparison, Environment } from '../types.js' */

const GIB = 2 ** 30;
/** Of a run file that lacks the fact. */
const UNKNOWN = 'unknown';

/**
 * What both run files name: what is measured first, then the machine.
 * @type {(base: Partial<Environment>, head: Partial<Environment>) => NonNullable<Comparison['differs']>}
 */
export function differencesBetween(base, head) {
  const [before, after] = [factsOf(base), factsOf(head)];
  return [...after].flatMap(([fact, value]) => {
    const earlier = before.get(fact);
    const isKnown = ![earlier, value].some((each) => [undefined, '', UNKNOWN].includes(each));
    return isKnown && earlier !== value ? [{ fact, base: String(earlier), head: String(value) }] : [];
  });
}

/** Run files may lack any. @type {(environment: Partial<Environment>) => Map<string, string | undefined>} */
function factsOf({ runtimes, tools, cpuModel, cores, memoryBytes, os, kernel, runner }) {
  return new Map([
    ...Object.entries({ ...runtimes, ...tools }),
    ['processor', cpuModel],
    ['cores', cores ? String(cores) : undefined],
    ['memory', memoryBytes ? `${Math.round(memoryBytes / GIB)} GiB` : undefined],
    ['system', os],
    ['kernel', kernel],
    ['runner', runner],
  ]);
}
