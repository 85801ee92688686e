const polka = require('polka');

polka()
  .get('/users/:id', (request, response) => response.end(request.params.id))
  .get('/hello', (request, response) => response.end('hello'))
  .listen(process.env.PORT || 3000);
