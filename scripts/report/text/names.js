/**
 * What a case is called.
 * @import { Run, RunCase } from '../../types.js'
 * @import { Words } from './words.js'
 */

import { conditionsOf } from '../../model/dimensions.js';
import { plain } from './inline.js';
import { differing, fieldsText } from './load.js';

/**
 * @param {Run} run
 * @param {string} id a case's
 * @param {Words} words
 * @returns {string} the server's name, with the route and the load where the run has several: "Fastify /json, 50 connections"
 */
export function nameOf({ cases }, id, words) {
  const named = cases.find((each) => each.id === id);
  if (!named) return plain(id, 200);
  const alike = cases.filter(({ serverName }) => serverName === named.serverName);
  const fields = differing(alike.map(conditionsOf));
  const nameWith = (/** @type {boolean} */ withRoute, /** @type {boolean} */ withLoad) => {
    return (/** @type {RunCase} */ runCase) =>
      [
        withRoute ? `${runCase.serverName} ${runCase.route}` : runCase.serverName,
        ...(withLoad ? [fieldsText(conditionsOf(runCase), fields, words)] : []),
      ].join(', ');
  };
  const names = [nameWith(false, false), nameWith(true, false), nameWith(false, true), nameWith(true, true)];
  const fitting = names.find((name) => alike.filter((each) => name(each) === name(named)).length === 1);
  return plain(fitting ? fitting(named) : id, 200);
}
