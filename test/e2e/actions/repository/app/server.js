/** A caller's server. It must not be given the job's token. */

import { createServer } from 'node:http';

const secrets = Object.keys(process.env).filter((name) =>
  /TOKEN|^PERF_(?!ACTION_(RUNTIME_METRICS|COUNTS|COVERAGE)$)|^GITHUB_|^INPUT_/.test(name),
);
const body = secrets.length === 0 ? 'Hello World!' : `I was given ${secrets}`;

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}).listen(Number(process.env.PORT), process.env.HOST);
