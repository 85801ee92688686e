const { createServer } = require('node:http');

createServer((request, response) => response.end('hello')).listen(18917);
