/** One server for every way of misbehaving: `node toy.js BEHAVIOUR`. */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [behaviour] = process.argv.slice(2);
const port = Number(process.env.PORT);
let asked = 0;

console.log(`toy ${behaviour} starts`);
if (behaviour === 'exits-at-boot') {
  console.error('cannot open the database');
  process.exit(7);
}
if (behaviour === 'slow-start') await sleep(400);
if (behaviour === 'ignores-sigterm') process.on('SIGTERM', () => {});
if (behaviour === 'becomes-daemon' || behaviour === 'becomes-daemon-late') {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'slow-start'], {
    detached: true,
    stdio: 'ignore',
  });
  console.log(`daemon ${child.pid}`);
  if (behaviour === 'becomes-daemon-late') {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await sleep(10);
    await sleep(300);
  }
  process.exit(0);
}
if (behaviour === 'forks-child') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(`child ${child.pid}`);
}

const server = createServer((request, response) => {
  asked++;
  if (behaviour === 'dies-under-load' && asked > 50) {
    console.error('out of luck');
    process.exit(9);
  }
  if (behaviour === 'hangs-under-load' && asked > 3) return;
  const status = behaviour === 'fails-under-load' && asked > 3 ? 503 : 200;
  const json = request.url === '/json';
  const type = behaviour === 'wrong-body' && json ? 'text/html' : json ? 'application/json' : 'text/plain';
  const body = json ? '{"hello":"world"}' : behaviour === 'wrong-body' ? 'Hello Wörld?' : 'Hello World!';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
if (behaviour === 'never-ready') setInterval(() => {}, 1000);
else if (behaviour === 'ignores-port') server.listen(0, '127.0.0.1');
else server.listen(port, process.env.HOST);
