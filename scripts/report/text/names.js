/**
 * @import { Run, RunCase } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { plain } from './inline.js';
import { differing, fieldsText } from './load.js';

/**
 * @param {Pick<Run, 'cases'>} run
 * @param {string} id a case's
 * @param {Words} words
 * @returns {string} the server's name, with the route and the load where the run has several: "Fastify /json, 50 connections"
 */
export function nameOf({ cases }, id, words) {
  const named = cases.find((each) => each.id === id);
  if (!named) return plain(id, 200);
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
  const others = alike.filter((runCase) => runCase !== named);
  const form = forms.find((name) => !others.some((other) => name(other) === name(named)));
  return plain(form ? form(named) : id, 200);
}
