import { capacityText } from '../report/text/limits.js';
import { searchCapacity } from '../session/capacity.js';
import { harmlessJson } from '../system/sanitize.js';

/** @param {import('../session/repro-command.js').Asked} values @param {import('../main.js').Io} io @returns {Promise<number>} */
export async function capacity({ json, capacity: _, ...options }, io) {
  const found = await searchCapacity(options, io);
  const { case: planned, run: _run, failOn, ...facts } = found;
  io.stdout.write(json ? harmlessJson({ case: planned.id, ...facts }) : capacityText(found));
  if (found.compared && !found.base) return 3;
  return found.compared?.verdict === 'regressed' && failOn !== 'never' ? 1 : 0;
}
