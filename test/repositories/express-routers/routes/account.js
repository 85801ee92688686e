const { Router } = require('express');

const router = Router();
const requireUser = (request, response) => response.status(401).end();
router.get('/', requireUser, (request, response) => response.json({}));

module.exports = router;
