exports.version = require('./package.json').version;
