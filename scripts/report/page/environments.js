/**
 * Both environments side by side: what differs is marked.
 * @import { Run } from '../../types.js'
 * @import { Words } from '../text/words.js'
 */

import { entities } from '../render/escape.js';

/** @param {Run} run @param {Run | undefined} base @param {Words} words @returns {string} */
export function renderEnvironments(run, base, words) {
  const { page, columns } = words;
  const runs = base ? [base, run] : [run];
  const all = runs.map((side) => factsOf(side, words));
  const names = [...new Set(all.flatMap((facts) => [...facts.keys()]))];
  const head = runs.length > 1 ? [columns.base, columns.head] : [columns.here];
  const rows = names.map((name) => {
    const values = all.map((facts) => facts.get(name) ?? '');
    const differs = new Set(values).size > 1;
    const cells = values.map((value) => `<td>${entities(value, 200) || '–'}</td>`).join('');
    return `<tr${differs ? ' class="differs"' : ''}><th scope="row">${entities(name, 60)}</th>${cells}</tr>`;
  });
  const heads = head.map((name) => `<th scope="col">${entities(name)}</th>`).join('');
  return `<div class="scroll" role="group" tabindex="0" aria-label="${entities(page.environments)}"><table><thead><tr><th scope="col">${entities(page.facts.name)}</th>${heads}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** A run file of another program may lack any of them. @param {Run} run @param {Words} words @returns {Map<string, string>} */
function factsOf({ environment, revision, startedAt }, { page: { facts }, conditions }) {
  const { cpuModel, cores, memoryBytes, os, kernel, runner, runtimes, tools } =
    /** @type {Partial<Run['environment']>} */ (environment);
  /** @type {[string, unknown][]} */
  const all = [
    [facts.commit, revision?.sha?.slice(0, 10)],
    [facts.branch, revision?.ref],
    [facts.started, startedAt],
    [facts.cpu, cpuModel],
    [facts.cores, cores],
    [facts.memory, memoryBytes && conditions.memory(Math.round(memoryBytes / 2 ** 30))],
    [facts.os, os],
    [facts.kernel, kernel],
    [facts.runner, runner],
    ...Object.entries({ ...runtimes, ...tools }),
  ];
  return new Map(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}
