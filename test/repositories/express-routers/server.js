const express = require('express');
const api = require('./routes');

const app = express();
app.use(express.json());
// app.get('/status', (request, response) => response.send('old'));
app.use('/api', api);
app.listen(process.env.PORT || 3000);
