import { UserError } from '../model/errors.js';
import { parseDuration } from '../model/units.js';
import { renderSoak } from '../report/soak.js';
import { scheduleOf } from '../run/soak.js';
import { soak as hold } from '../session/soak.js';
import { harmlessJson } from '../system/sanitize.js';

const LENGTH = '10m';
const SHORTEST_SECONDS = 120;

/** @type {import('../verbs.js').Command} */
export async function soak({ values: { for: length = LENGTH, json, ...options } }, io) {
  const seconds = parseDuration(String(length), '--for');
  if (seconds < SHORTEST_SECONDS)
    throw new UserError(`--for: "${length}" is too short to tell a leak from a warm-up; use at least 2m`);
  const { soak: result, run, out, code } = await hold(options, { ...io, schedule: scheduleOf(seconds) });
  io.stdout.write(json ? harmlessJson(result) : renderSoak(result, run, out));
  return code;
}
