const { Router } = require('express');

const router = Router();
const items = Array.from({ length: 20 }, (_, id) => ({ id, name: `item ${id}` }));
router.get('/:id', (request, response) => response.json(items[request.params.id]));
router.get('/', (request, response) => response.json(items));

module.exports = router;
