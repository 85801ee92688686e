/** One server for every way of misbehaving: `node toy.js BEHAVIOUR`. */
import { execFileSync, spawn } from 'node:child_process';
import cluster from 'node:cluster';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const [behaviour] = process.argv.slice(2);
const port = Number(process.env.PORT);
let asked = 0;

console.log(`toy ${behaviour} starts`);
if (behaviour === 'exits-at-start') {
  console.error('cannot open the database');
  process.exit(7);
}
if (behaviour === 'slow-start') await sleep(400);
if (behaviour === 'starts-busy') for (;;) Math.sqrt(port);
if (behaviour === 'ignores-sigterm') process.on('SIGTERM', () => {});
if (behaviour === 'becomes-daemon' || behaviour === 'becomes-daemon-late') {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'slow-start'], {
    detached: true,
    stdio: 'ignore',
  });
  console.log(`daemon ${child.pid}`);
  if (behaviour === 'becomes-daemon-late') {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await sleep(10);
    await sleep(2 ** 30);
  }
  process.exit(0);
}
if (behaviour === 'forks-child') {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  console.log(`child ${child.pid}`);
}

/** @type {import('node:http').RequestListener} */
const answer = (request, response) => {
  asked++;
  if (behaviour === 'streams') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    setInterval(() => response.write('data: tick\n\n'), 20);
    return;
  }
  if (behaviour === 'redirects') return response.writeHead(302, { location: '/login' }).end();
  if (behaviour === 'lacks-its-database')
    return response.writeHead(500).end('<h1>Error</h1>\n<pre>the database is down</pre>');
  if (behaviour === 'works-long') {
    const end = Date.now() + 30;
    while (Date.now() < end);
  }
  if (behaviour === 'waits-long' && asked > 1) return void setTimeout(() => response.end(), 30);
  if (behaviour === 'wants-login') return response.writeHead(401).end();
  if (behaviour === 'lacks-json' && request.url === '/json') return response.writeHead(404).end();
  if (behaviour === 'dies-under-load' && asked > 50) {
    console.error('out of luck');
    process.exit(9);
  }
  if (behaviour === 'hangs-under-load' && asked > 3) return;
  const json = request.url === '/json';
  const type = behaviour === 'wrong-body' && json ? 'text/html' : json ? 'application/json' : 'text/plain';
  const body = json ? '{"hello":"world"}' : behaviour === 'wrong-body' ? 'Hello Wörld?' : 'Hello World!';
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
};

/** A key pair of its own, made by OpenSSL and thrown away at once. */
function keyPair() {
  const folder = mkdtempSync(join(tmpdir(), 'toy-'));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const made = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-keyout', key, '-out', cert];
  try {
    execFileSync('openssl', ['req', '-x509', ...made], { stdio: 'ignore' });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (behaviour === 'speaks-tls') createTlsServer(keyPair(), answer).listen(port, process.env.HOST);
else if (behaviour === 'speaks-http2') createHttp2Server().listen(port, process.env.HOST);
else if (behaviour === 'never-ready') setInterval(() => {}, 1000);
else if (behaviour === 'ignores-port')
  createServer(answer).listen(Number(process.env.OWN_PORT ?? 0), '0.0.0.0');
else if (behaviour === 'ignores-port-in-workers')
  if (cluster.isPrimary) for (const _ of 'ab') cluster.fork();
  else createServer(answer).listen(Number(process.env.OWN_PORT), '0.0.0.0');
else if (behaviour === 'answers-404-elsewhere')
  createServer((_, response) => response.writeHead(404).end()).listen(0, '0.0.0.0');
else if (behaviour === 'loses-its-port') {
  const server = createServer(answer).listen(Number(process.env.OWN_PORT), '0.0.0.0');
  server.on('error', (error) => console.error(error.message));
  setInterval(() => {}, 1000);
} else if (behaviour === 'opens-another-port-first') {
  createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  process.on('SIGUSR2', () => createServer(answer).listen(port, process.env.HOST));
} else if (behaviour === 'hides-on-ipv6') createServer(answer).listen(port, '::1');
else createServer(answer).listen(port, process.env.HOST);
