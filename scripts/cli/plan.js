import { harmlessJson } from '../system/sanitize.js';
import { redactedPlan } from '../secrets/secrets.js';
import { previewSession } from '../session/preview.js';

/** @type {import('../verbs.js').Command} */
export async function plan({ values }, io) {
  const { plan: planned, foretold, text } = await previewSession(values, io.cwd, io.env);
  io.stdout.write(
    values.json ? harmlessJson({ ...redactedPlan(planned), foretold }) : text(io.stdout.screen?.()),
  );
  return 0;
}
