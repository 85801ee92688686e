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
 * Claims that fail by the model's own reckoning need no check. Where there are too many to check each with all deals,
 * some of them, evenly spread, are dealt, and their deals stand for all.
 * @param {Claim[]} claims
 * @param {number} alpha the report's
 * @returns {Claim[]} with p as chance has it
 */
export function checkAgainstChance(claims, alpha) {
  const suspects = claims.filter(({ p, speed }) => speed && p !== undefined && p < alpha);
  const dealt = everyNth(suspects, Math.ceil((suspects.length * DEALS) / ALL_DEALS));
  const suspected = new Set(suspects);
  const deals = new Map(
    dealt.map((claim) => [claim, claim.speed ? deal(claim.speed.table, claim.speed.shift, DEALS) : []]),
  );
  const all = [...deals.values()].flat();
  return claims.map((claim) => {
    if (claim.p === undefined || !suspected.has(claim)) return claim;
    return { ...claim, p: calibrate(claim.p, deals.get(claim) ?? all) };
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
