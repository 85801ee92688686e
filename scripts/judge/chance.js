/**
 * Has the claims that would become alarms checked against chance itself.
 * @import { Claim } from './shapes.js'
 */

import { calibrate, deal } from './permute.js';

/** Deals a claim: 30 of them shape the tail. */
const DEALS = 150;
/** Deals a report: keeps a thousand cases within two seconds. */
const ALL_DEALS = 1200;
/**
 * Boots of several states pass for a change in up to 0.3 of 100 comparisons of identical code, as measured over the
 * recordings. So many cases may bear that within a report's risk.
 */
const FEW_CASES = 4;

/**
 * Claims that fail by the model's own reckoning need no check. Where there are too many to check each with all deals,
 * some of them, evenly spread, are dealt, and their deals stand for all.
 *
 * Taking the change off before dealing leaves out how often boots of several states pass for a change of their own. In a
 * report of many cases each must hold against deals of the boots as they are, too.
 * @param {Claim[]} claims
 * @param {number} alpha the report's
 * @returns {Claim[]} with p as chance has it
 */
export function checkAgainstChance(claims, alpha) {
  const suspects = claims.filter(({ p, speed }) => speed && p !== undefined && p < alpha);
  const cases = claims.filter(({ speed }) => speed).length;
  const ways = cases > FEW_CASES ? [true, false] : [true];
  const dealt = everyNth(suspects, Math.ceil((suspects.length * DEALS * ways.length) / ALL_DEALS));
  const suspected = new Set(suspects);
  const checks = ways.map((takeOff) => {
    const deals = new Map(
      dealt.map((claim) => [
        claim,
        claim.speed ? deal(claim.speed.table, claim.speed.shift, { count: DEALS, takeOff }) : [],
      ]),
    );
    const all = [...deals.values()].flat();
    return (/** @type {Claim} */ claim) => calibrate(claim.p ?? 1, deals.get(claim) ?? all);
  });
  return claims.map((claim) => {
    if (!suspected.has(claim)) return claim;
    return { ...claim, p: Math.max(...checks.map((check) => check(claim))) };
  });
}

/**
 * @template T
 * @param {T[]} items
 * @param {number} n
 * @returns {T[]}
 */
function everyNth(items, n) {
  return items.filter((_, index) => index % Math.max(1, n) === 0);
}
