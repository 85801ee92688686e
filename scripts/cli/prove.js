import { parsePercent } from '../model/units.js';
import { renderProof } from '../report/proof.js';
import { prove as plant } from '../session/prove.js';
import { harmlessJson } from '../system/sanitize.js';

const BY = '5%';

/** @type {import('../verbs.js').Command} */
export async function prove({ values: { by = BY, json, ...options } }, io) {
  const proof = await plant(options, { ...io, by: parsePercent(String(by), '--by') });
  const { case: planned, compared, head: _, ...facts } = proof;
  const isFound = compared.verdict === 'regressed';
  const found = { case: planned.id, isFound, ...facts, metrics: compared.metrics };
  io.stdout.write(json ? harmlessJson(found) : renderProof(proof));
  return isFound ? 0 : 1;
}
