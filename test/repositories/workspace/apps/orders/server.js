import { createServer } from 'node:http';
import { euros } from '@shop/money';

createServer((request, response) => response.end(euros(1250))).listen(process.env.PORT);
