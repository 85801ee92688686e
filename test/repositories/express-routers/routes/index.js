const { Router } = require('express');

const router = Router();
router.use('/account', require('./account'));
router.use('/items', require('./items'));

module.exports = router;
