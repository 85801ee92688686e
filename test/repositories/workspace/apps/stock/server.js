import { createServer } from 'node:http';
import { euros } from '@shop/money';

createServer((request, response) => response.end(`in stock: ${euros(99)}`)).listen(process.env.PORT);
