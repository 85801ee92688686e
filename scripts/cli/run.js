import { paint } from '../system/output.js';
import { harmlessJson } from '../system/sanitize.js';
import { holdSession } from '../session/session.js';

/** @type {import('../verbs.js').Command} */
export async function run({ values }, io) {
  if (values.capacity) return (await import('./capacity.js')).capacity(values, io);
  const { run: measured, comparison, code, text } = await holdSession(values, io);
  if (values.json) io.stdout.write(harmlessJson({ run: measured, comparison }));
  else paint(io.stdout, text);
  return code;
}
