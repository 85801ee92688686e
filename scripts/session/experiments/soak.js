/**
 * Soaks one server: loads it with pauses for minutes, and judges whether its memory grows.
 * @import { Config, FailOn, MemoryReading, Run, Soak } from '../../types.js'
 * @import { Answer, Experiment, Surroundings } from './experiment.js'
 * @import { Schedule } from '../../run/soaking.js'
 */

import { join, resolve } from 'node:path';
import { DEFAULT_RUNTIME } from '../../deploy/runtimes.js';
import { judgeLeak, LEAST_GROWTH } from '../../judge/leak.js';
import { MeasureError, UserError } from '../../model/errors.js';
import { onlyCase } from '../../plan/relevant.js';
import { UNFITTED } from '../../plan/timetable.js';
import { text } from '../../report/document/blocks.js';
import { soakAnswer } from '../../report/document/soak-answer.js';
import { answerMarkdown, renderReport } from '../../report/render/markdown.js';
import { answerTerminal } from '../../report/render/terminal.js';
import { wordsIn } from '../../report/text/words.js';
import { soaking } from '../../run/soaking.js';
import { writeJson, writeText } from '../../store/json-file.js';
import { ALONE, failureIn } from './experiment.js';

/** One start, compared with nothing. */
export const SOAK_OPTIONS = { ...ALONE, against: 'off', rounds: '1' };

/** Verdicts that make the exit code 1. @type {Record<FailOn, Soak['verdict'][]>} */
const FAILS = { regressed: ['leaks'], unsure: ['leaks', 'unsure'], never: [] };

/**
 * The first case alone is measured. Results go to the folder `soak` in the results folder.
 * @param {Config} config read with {@link SOAK_OPTIONS}
 * @param {Schedule} schedule
 * @param {Pick<Surroundings, 'cwd' | 'stderr' | 'signal'> & { least?: number }} surroundings least: the
 *   growth in bytes an hour that counts as none
 * @returns {Experiment<Answer & { soak: Soak, run: Run, out: string }>} out: the folder; the exit code is 3
 *   where the server failed before the end. Its answer throws a MeasureError that says why there is no
 *   reading at all, or a UserError where the memory was never read
 * @throws {UserError} for a server that does not run on Node
 */
export function soak(config, schedule, { cwd, stderr, signal, least = LEAST_GROWTH }) {
  const [wanted] = config.cases;
  const server = config.servers.find(({ id }) => id === wanted?.server);
  if (!wanted || server?.runtime !== DEFAULT_RUNTIME)
    throw new UserError(
      `soak: memory is read in Node servers only, and ${server?.id} runs on ${server?.runtime}; name another one with --servers`,
    );
  const out = join(config.out, 'soak');
  /** @type {MemoryReading[]} */
  const readings = [];
  const { cycles, loadSeconds, restSeconds } = schedule;
  const total = Math.round(cycles * (loadSeconds + restSeconds));
  const onReading = (/** @type {MemoryReading} */ reading) => {
    readings.push(reading);
    const { at, requests, heapBytes, externalBytes } = reading;
    const megabytes = ((heapBytes + externalBytes) / 1e6).toFixed(1);
    stderr.write(
      `${Math.round(at)} of ${total} s: ${requests.toLocaleString('en-US')} requests, ${megabytes} MB after collection\n`,
    );
  };
  // Without a warm-up: the first readings are that.
  const times = { warmupSeconds: 0, durationSeconds: cycles * loadSeconds, windows: cycles };
  const cases = [{ ...wanted, load: { ...wanted.load, requests: undefined, ...times } }];
  return {
    verb: 'soak',
    config: { ...onlyCase(config, wanted.id), out, cases, ...UNFITTED },
    dependencies: () => soaking(schedule, { signal, onReading }),
    async answer({ run, isCancelled, code }) {
      if (readings.length === 0) {
        if (isCancelled) throw new MeasureError('cancelled', 'before any memory was read');
        throw failureIn(run) ?? new UserError(`soak: no process of ${wanted.id} answered with its memory`);
      }
      /** @type {Soak} */
      const result = {
        schema: 'perf-action/soak@1',
        run: run.id,
        case: wanted.id,
        ...(run.language !== undefined && { language: run.language }),
        leastBytesPerHour: least,
        ...judgeLeak(readings, least),
        readings,
      };
      const folder = resolve(cwd, out);
      await writeJson(join(folder, 'soak.json'), result);
      const answer = soakAnswer(result, run);
      const blocks = [...answer.blocks, text(wordsIn(run.language).soak.report(out))];
      await writeText(join(folder, 'report.md'), `${answerMarkdown(answer)}\n${renderReport(run, {})}`);
      return {
        soak: result,
        run,
        out,
        code: FAILS[config.failOn].includes(result.verdict) ? 1 : code === 3 ? 3 : 0,
        json: result,
        text: (screen) => answerTerminal({ ...answer, blocks }, screen),
      };
    },
  };
}
