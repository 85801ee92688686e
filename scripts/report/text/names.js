/** What reports call a case. @import { Run, RunCase } from '../../types.js' */
/** @import { Words } from './words.js' */

import { differing } from '../../judge/groups.js';
import { conditionsOf } from '../../model/dimensions.js';
import { plain } from './inline.js';
import { fieldsText } from './load.js';

/** @typedef {Pick<Run, 'cases' | 'preset'> | undefined} Named */

/**
 * @param {{ run?: Named, base?: Named }} results base: names the cases that the run lacks
 * @param {Words} words
 * @returns {(id: string) => string} the server's name, with the route where the server has several, and what differs in the load where
 *   the rest would name several cases: "Fastify /json, 50 connections"; the id where no run has the case
 */
export function caseNames({ run, base }, words) {
  const cases = run?.cases ?? [];
  const ids = new Set(cases.map(({ id }) => id));
  const all = [...cases, ...(base?.cases ?? []).filter(({ id }) => !ids.has(id))];
  const isPreset = run?.preset !== undefined;
  /** Every table and note asks for the names of many cases. @type {Map<string, string>} */
  const known = new Map();
  return (id) => {
    const runCase = all.find((candidate) => candidate.id === id);
    const name =
      known.get(id) ?? (runCase ? nameAmong(ids.has(id) ? cases : all, { runCase, isPreset }, words) : id);
    known.set(id, name);
    return plain(name, 200);
  };
}

/**
 * @param {{ id: string, name: string, serverName: string }[]} cases drawn together
 * @returns {Map<string, string>} what differs in their names, by id: where all are of one server, the routes and loads alone
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
 * The shortest name that no other case of the server has. The servers of a preset have routes that its question is not about.
 * @param {RunCase[]} cases @param {{ runCase: RunCase, isPreset: boolean }} of one of them @param {Words} words
 */
function nameAmong(cases, { runCase: named, isPreset }, words) {
  const alike = cases.filter(({ serverName }) => serverName === named.serverName);
  const fields = differing(alike.map(conditionsOf));
  const load = (/** @type {RunCase} */ runCase) => fieldsText(conditionsOf(runCase), fields, words);
  /** @type {((runCase: RunCase) => string)[]} */
  const forms = [
    ({ serverName }) => serverName,
    ({ serverName, route }) => `${serverName} ${route}`,
    (runCase) => `${runCase.serverName}, ${load(runCase)}`,
    (runCase) => `${runCase.serverName} ${runCase.route}, ${load(runCase)}`,
  ];
  const isUnique = (/** @type {(typeof forms)[number]} */ form) =>
    alike.every((runCase) => runCase === named || form(runCase) !== form(named));
  const isRouteNamed = named.oneOfRoutes === true && !isPreset;
  return forms.filter((_, place) => !isRouteNamed || place % 2 === 1).find(isUnique)?.(named) ?? named.id;
}
