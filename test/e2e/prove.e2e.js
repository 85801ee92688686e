/** `prove`: planted work is found in a real server, and what cannot be proved gets one line. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ALONE, cli, folder } from './command-line.js';

const SERVER = `
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Server {
  public static void main(String[] args) throws Exception {
    var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(System.getenv("PORT")));
    var server = HttpServer.create(address, 0);
    server.createContext("/", exchange -> {
      exchange.sendResponseHeaders(200, 2);
      exchange.getResponseBody().write("ok".getBytes());
      exchange.close();
    });
    server.start();
  }
}
`;
const MANIFEST = `
id: java
runtime: java
install: javac Server.java
start: java -Dsun.net.httpserver.nodelay=true Server
routes: [{ path: / }]
`;
/** 5 ms an answer: what a request costs decides, which needs no full load. */
const CALM_SERVER = `require('node:http')
  .createServer((_, answer) => setTimeout(() => answer.end('ok'), 5))
  .listen(process.env.PORT, process.env.HOST);
`;
const CALM = ['--servers', './calm', '--connections', '8'];

test('half as much CPU again is found, and the last results stay', async () => {
  mkdirSync(join(folder, 'calm'));
  writeFileSync(join(folder, 'calm/server.js'), CALM_SERVER);
  writeFileSync(
    join(folder, 'calm/server.yml'),
    'runtime: node\nstart: node server.js\nroutes: [{ path: / }]\n',
  );
  const measured = await cli('run', ...CALM, ...ALONE, '--duration', '1s', '--warmup', '0', '--rounds', '1');
  assert.equal(measured.code, 0, measured.stderr);
  const results = readFileSync(join(folder, 'perf-results/run.json'), 'utf8');
  const short = ['--warmup', '1s', '--duration', '1s', '--budget', '90s'];
  const { code, stdout, stderr } = await cli('prove', ...CALM, '--by', '50%', ...short);
  assert.equal(code, 0, stdout + stderr);
  assert.match(
    stdout,
    /^Planted into one side of calm \/ .*: 50\.0 % more CPU per request \([\d.]+ µs\)\.$/m,
  );
  assert.match(stdout, /Found after \d+ (s|min): CPU per request \+\d+\.\d % \(/);
  assert.match(stdout, /a slowdown is found after: /);
  assert.equal(readFileSync(join(folder, 'perf-results/run.json'), 'utf8'), results);
  assert.ok(existsSync(join(folder, 'perf-results/prove/report.html')));
});

test('work is planted into a Java server, too', { skip: !process.env.PERF_TEST_ALL }, async () => {
  mkdirSync(join(folder, 'java'));
  writeFileSync(join(folder, 'java/Server.java'), SERVER);
  writeFileSync(join(folder, 'java/server.yml'), MANIFEST);
  const short = ['--warmup', '3s', '--duration', '1s', '--budget', '150s'];
  const { code, stdout, stderr } = await cli('prove', '--servers', './java', '--by', '50%', ...short);
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /Found after \d+ (s|min): CPU per request \+\d+\.\d % \(/);
});

test('a share that is none, and a server that runs on neither Node nor Java, get one line each', async () => {
  const share = await cli('prove', '--servers', 'node-http', '--routes', '/', '--by', '200%');
  assert.deepEqual([share.code, share.stdout], [2, '']);
  assert.match(share.stderr, /^perf-action: --by: "200%" is not a valid percentage; .*\n$/);
  const go = await cli('prove', '--servers', 'gin', '--routes', '/');
  assert.deepEqual([go.code, go.stdout], [2, '']);
  assert.match(go.stderr, /^perf-action: prove: .*gin runs on go; .*\n$/);
});
