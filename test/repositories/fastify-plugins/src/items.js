/** @param {import('fastify').FastifyInstance} app */
export default async function items(app) {
  app.get('/items', async () => [{ id: 1, name: 'shoe' }]);
}
