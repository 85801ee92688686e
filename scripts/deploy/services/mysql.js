/** @import { ServiceRow } from '../services.js' */

import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { createDatabases, databaseOf, run, startService, untilServiceAnswers, ownerOf } from './ready.js';

/** Its data need not survive a crash. */
const FAST = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--skip-log-bin'];

/** @type {ServiceRow} */
export const mysql = {
  label: 'MySQL (MariaDB)',
  scheme: /^(mysql|mariadb):/,
  port: 3306,
  hello: Buffer.alloc(0),
  variables: ['MYSQL_URL', 'DATABASE_URL'],
  prefix: 'MYSQL_',
  program: 'mariadbd',
  folders: () => ['/usr/sbin'],
  package: 'mariadb-server',
  signs: {
    packages: /^(mysql|mysql2|mariadb|@fastify\/mysql)$/,
    otherManifests:
      /mysql-connector|mariadb-java|go-sql-driver\/mysql|driver\/mysql|pymysql|mysqlclient|aiomysql|asyncmy|quarkus-jdbc-m(ysql|ariadb)|gem ['"]mysql2/i,
    image: /mysql|mariadb/,
    names: /DB|DATABASE|MYSQL|MARIADB|TYPEORM|SQL/,
    dialect: /^(mysql2?|mariadb)$/,
    jdbc: 'mysql',
  },
  async start({ program, folder, sides, signal }) {
    const user = await ownerOf(folder, 'mysql', signal);
    const data = join(folder, 'data');
    // The machine's configuration belongs to another server.
    const common = ['--no-defaults', `--datadir=${data}`];
    const initial = ['--auth-root-authentication-method=normal', '--skip-test-db', ...FAST];
    await run('mariadb-install-db', [...common, ...initial], { cwd: folder, ...user, signal });
    const files = [`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`];
    const port = await freePort();
    const address = [`--bind-address=${HOST}`, `--port=${port}`, '--skip-name-resolve'];
    const group = await startService([program, ...common, ...address, ...files, ...FAST], folder, user);
    const admin = ['--no-defaults', '-h', HOST, '-P', String(port), '-u', 'root'];
    await untilServiceAnswers(group, signal, (bounds) => run('mariadb-admin', [...admin, 'ping'], bounds));
    await createDatabases(group, sides, (name) =>
      run('mariadb-admin', [...admin, 'create', name], { signal }),
    );
    return { group, urlOf: (side) => `mysql://root@${HOST}:${port}/${databaseOf(side)}` };
  },
};
