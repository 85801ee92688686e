/** The recipe for Locust's workers on several machines: here its jobs run side by side on one. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { openWorkshop } from '../actions/workshop.js';
import { gitIn, ROOT } from '../tools.js';
import { scratchFolder } from '../../scratch.js';

const APP = scratchFolder();
const SERVER = `require('node:http').createServer((_, answer) => setTimeout(() => answer.end('hello'), 20)).listen(process.env.PORT);`;

/** @type {Awaited<ReturnType<typeof openWorkshop>>} */
let workshop;
before(async () => {
  workshop = await openWorkshop();
  writeFileSync(join(APP, 'server.js'), SERVER);
  writeFileSync(join(APP, 'perf.yml'), 'servers:\n  - { id: app, start: node server.js, routes: [/] }\n');
  const git = gitIn(APP);
  await git('init', '-q', '-b', 'main');
  await git('remote', 'add', 'origin', 'https://github.com/octo/app.git');
  await git('add', '.');
  await git('commit', '-q', '-m', 'app');
});
after(() => {
  workshop.remove();
});

test('workers.yml sends the load from three workers that join the measuring job', async () => {
  const workflow = parse(readFileSync(join(ROOT, 'docs/recipes/workers.yml'), 'utf8'));
  workflow.env.LOAD_HOST = '127.0.0.1';
  for (const job of Object.values(workflow.jobs))
    job.steps = job.steps.filter(
      (/** @type {{ run?: string }} */ { run }) => !run?.startsWith('pip install'),
    );
  const measure = workflow.jobs.measure.steps.at(-1);
  measure.run = `${measure.run.trimEnd().replace('npx github:org/perf-action', `node '${ROOT}/scripts/cli.js'`)} --connections 6 --duration 2s --warmup 0 --rounds 1 --reference off`;
  // Neither installing nor measuring may take longer than a worker waits.
  assert.doesNotMatch(workflow.jobs.worker.steps.at(-1).run, /timeout/);
  const { code, log } = await workshop.runWorkflow({
    workflow,
    on: 'workflow_dispatch',
    event: {},
    checkout: APP,
    apiUrl: 'http://127.0.0.1:9',
  });
  assert.equal(code, 0, log);
  assert.match(log, /3 workers/);
  assert.doesNotMatch(log, /Job failed/);
});
