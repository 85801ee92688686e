/**
 * A server that leaves a daemon without session, parent or environment, which ends whoever supervises it and
 * looks for a token.
 */

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';

const daemon = ['env', '-i', `PATH=${process.env.PATH}`, process.execPath, 'daemon.js', String(process.ppid)];
spawn('setsid', daemon, { stdio: 'ignore', detached: true }).unref();

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 12 });
  response.end('Hello World!');
}).listen(Number(process.env.PORT), process.env.HOST);
