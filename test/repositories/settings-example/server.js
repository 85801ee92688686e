import { createServer } from 'node:http';

for (const name of ['GREETING', 'JWT_SECRET']) if (!process.env[name]) throw new Error(`${name} is not set`);
const { GREETING, PORT, JWT_SECRET } = process.env;

createServer((request, response) => response.end(`${GREETING} ${JWT_SECRET.length}`)).listen(PORT);
