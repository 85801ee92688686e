import { createServer } from 'node:http';
import { connect } from 'node:net';

const { hostname, port } = new URL(process.env.REDIS_URL);
const waiting = [];
const redis = connect(Number(port), hostname);
redis.on('data', (answers) => {
  for (const line of String(answers).split('\r\n').filter(Boolean)) waiting.shift()?.end(line);
});

createServer((request, response) => {
  waiting.push(response);
  redis.write('PING\r\n');
}).listen(process.env.PORT);
