/**
 * A server whose answers take a while: `node slow.js SPIN_MS WAIT_MS FILE`. Each answer waits, and then uses
 * so much CPU. In the end the server appends to the file what it counted: its answers, and its own CPU time
 * since the first of them.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [spinMs = 0, waitMs = 0] = process.argv.slice(2, 4).map(Number);
const file = process.argv[4] ?? '';

const microseconds = (/** @type {NodeJS.CpuUsage} */ { user, system }) => user + system;
let answers = 0;
/** @type {NodeJS.CpuUsage | undefined} */
let first;

createServer(async (_request, response) => {
  first ??= process.cpuUsage();
  if (waitMs > 0) await sleep(waitMs);
  const end = microseconds(process.cpuUsage()) + 1000 * spinMs;
  while (microseconds(process.cpuUsage()) < end);
  answers++;
  response.setHeader('content-length', 2).end('ok');
}).listen(Number(process.env.PORT), process.env.HOST);

process.on('SIGTERM', () => {
  const cpuUs = first && microseconds(process.cpuUsage(first));
  if (cpuUs) appendFileSync(file, `${JSON.stringify({ answers, cpuUs })}\n`);
  process.exit();
});
