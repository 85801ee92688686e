/** A service of twenty routes, whose commits make the first route cost a known share more CPU a request. */

import { git } from '../../scripts/system/git.js';
import { COMMENT } from '../touched/changes.js';
import { FIRST, makeShop } from '../touched/repository.js';
import { calibratedSlower } from '../touched/runs.js';

/**
 * @param {string} folder that holds nothing yet
 * @param {string} framework
 * @param {number[]} more of each commit after the first: the share that a request costs more; 0: a comment
 * @returns {Promise<string[]>} the commits, one more than shares
 */
export async function makePlantedShop(folder, framework, more) {
  const shop = makeShop(folder, framework);
  const commits = [await git(folder, ['rev-parse', FIRST])];
  for (const share of more) {
    shop.plant(share === 0 ? COMMENT : (await calibratedSlower(shop, share)).service);
    commits.push(await git(folder, ['rev-parse', 'HEAD']));
  }
  return commits;
}
