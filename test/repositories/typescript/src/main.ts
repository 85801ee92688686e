import { createServer, type ServerResponse } from 'node:http';

const answer = (response: ServerResponse): void => void response.end('typed');

createServer((_, response) => answer(response)).listen(Number(process.env.PORT ?? 3000));
