import { resolve } from 'node:path';
import { UserError } from '../model/errors.js';
import { renderBisection, renderStep } from '../report/bisection.js';
import { bisect as search } from '../session/bisect.js';
import { tryReadHead } from '../session/results.js';
import { harmlessJson } from '../system/sanitize.js';

/** @type {import('../verbs.js').Command} */
export async function bisect({ values, positionals: [good, bad, ...others] }, io) {
  if (others.length > 0)
    throw new UserError('bisect: too many commits; perf-action bisect GOOD BAD [options of run]');
  const { json, ...options } = values;
  const bisection = await search(
    { good, bad, options },
    { ...io, onStep: (step, left) => io.stderr.write(`${renderStep(step, left)}\n`) },
  );
  if (json) io.stdout.write(harmlessJson(bisection));
  else {
    const run = await tryReadHead(resolve(io.cwd, bisection.out));
    io.stdout.write(renderBisection(bisection, run));
  }
  return bisection.outcome?.code === 'found' ? 0 : 3;
}
