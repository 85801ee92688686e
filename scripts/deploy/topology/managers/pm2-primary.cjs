/** pm2's cluster mode in the foreground, like pm2-runtime: no daemon, no log file, no restart. */
'use strict';

const { reportListening, requestedInstances } = require('./instances.cjs');

const { custom: Pm2 } = require(/** @type {string} */ (process.env.PERF_ACTION_PM2));

reportListening();
const pm2 = new Pm2({ pm2_home: process.env.PM2_HOME, daemon_mode: false });

pm2.connect(() => {
  pm2.launchBus((/** @type {Error | null} */ _error, /** @type {any} */ bus) => {
    bus.on('log:out', (/** @type {{ data: string }} */ { data }) => process.stdout.write(data));
    bus.on('log:err', (/** @type {{ data: string }} */ { data }) => process.stderr.write(data));
    const app = {
      name: 'server',
      script: require.resolve(process.argv[1] ?? ''),
      args: process.argv.slice(2),
      node_args: process.execArgv,
      cwd: process.cwd(),
      exec_mode: 'cluster',
      instances: requestedInstances,
      autorestart: false,
      out_file: '/dev/null',
      error_file: '/dev/null',
    };
    pm2.start(app, (/** @type {Error | null} */ error) => {
      if (!error) return;
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    });
  });
});
