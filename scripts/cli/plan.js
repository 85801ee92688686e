import { harmlessJson } from '../system/sanitize.js';
import { redactedPlan } from '../secrets/secrets.js';
import { previewSession } from '../session/preview.js';

/** @type {import('../verbs.js').Command} */
export async function plan({ values }, io) {
  const { plan: planned, foretold, lacking, text } = await previewSession(values, io.cwd, io.env);
  io.stdout.write(
    values.json ? harmlessJson({ ...redactedPlan(planned), foretold, lacking }) : text(io.stdout.screen?.()),
  );
  return 0;
}
