/** What reports call a case. @import { Run, RunCase } from '../../types.js' */
/** @import { Words } from './words.js' */

import { groups, rollup } from 'd3-array';
import { differing } from '../../judge/case-groups.js';
import { conditionsOf } from '../../model/dimensions.js';
import { plain } from './inline.js';
import { fieldsText } from './load-words.js';

/** @typedef {Pick<Run, 'cases' | 'preset'> | undefined} Named */

/**
 * Names a case by its server, by its route where the server has several, and by its load where the rest would
 * name several cases: "Fastify /json, 50 connections". The base names cases the run lacks; ids name others.
 * @type {(results: { run?: Named, base?: Named }, words: Words) => (id: string) => string}
 */
export function caseNames({ run, base }, words) {
  const cases = run?.cases ?? [];
  const ids = new Set(cases.map(({ id }) => id));
  const all = [...cases, ...(base?.cases ?? []).filter(({ id }) => !ids.has(id))];
  const isPreset = run?.preset !== undefined;
  const names = new Map([all, cases].flatMap((some) => namesAmong(some, isPreset, words)));
  return (id) => names.get(id) ?? plain(id, 200);
}

/**
 * What differs in the names of cases drawn together, by id: of one server, the routes and loads alone.
 * @type {(cases: { id: string, name: string, serverName: string }[]) => Map<string, string>}
 */
export function shortNames(cases) {
  const isOneServer = cases.length > 1 && new Set(cases.map(({ serverName }) => serverName)).size === 1;
  const rests = cases.map(({ name, serverName }) =>
    name.startsWith(serverName) ? name.slice(serverName.length).replace(/^,? /, '') : '',
  );
  const isShort = isOneServer && rests.every(Boolean);
  return new Map(cases.map(({ id, name }, place) => [id, (isShort && rests[place]) || name]));
}

/**
 * The shortest name that no other case of the server has. The servers of a preset have routes that its
 * question is not about.
 * @type {(cases: RunCase[], isPreset: boolean, words: Words) => [id: string, name: string][]}
 */
function namesAmong(cases, isPreset, words) {
  return groups(cases, (runCase) => runCase.serverName).flatMap(([serverName, alike]) => {
    const conditions = alike.map(conditionsOf);
    const fields = differing(conditions);
    const forms = alike.map(({ route }, place) => {
      const load = fieldsText(conditions[place] ?? {}, fields, words);
      return [
        serverName,
        `${serverName} ${route}`,
        `${serverName}, ${load}`,
        `${serverName} ${route}, ${load}`,
      ];
    });
    const times = rollup(forms.flat(), ({ length }) => length, String);
    return alike.map(({ id, oneOfRoutes }, place) => {
      const fit = forms[place]?.filter((_, nth) => isPreset || !oneOfRoutes || nth % 2 === 1);
      return [id, plain(fit?.find((form) => times.get(form) === 1) ?? id, 200)];
    });
  });
}
