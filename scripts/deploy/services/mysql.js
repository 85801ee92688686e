/** @import { ServiceRow } from '../services.js' */

import { join } from 'node:path';
import { freePort, HOST } from '../../system/free-port.js';
import { databaseOf, keepClient, ownerOf, run, untilServiceAnswers } from './ready.js';
import { askStatements } from './statements.js';

/** Its data need not survive a crash. */
const FAST = ['--innodb-flush-log-at-trx-commit=0', '--innodb-doublewrite=0', '--skip-log-bin'];
const COUNTING = [
  '--performance-schema=ON',
  '--performance-schema-instrument=%=OFF',
  '--performance-schema-instrument=statement/%=ON',
  '--performance-schema-consumer-events-statements-current=ON',
];

/** In what clients prepare, quotes may hold values, and a comment may begin. */
const UNCLEAR = /[\\"#]/;

/**
 * Digests lack what clients prepare: its executions are counted by user, and by text while it is prepared.
 * Each side's database and user have one name.
 * @param {string} name
 */
const countsOf = (name) => `WITH prepared AS
    (SELECT left(sql_text, 1000) AS text, count_execute AS calls FROM prepared_statements_instances
    JOIN threads ON thread_id = owner_thread_id WHERE processlist_user = '${name}'),
  executed AS (SELECT count_star AS calls FROM events_statements_summary_by_user_by_event_name
    WHERE user = '${name}' AND event_name = 'statement/com/Execute')
  SELECT variable_value FROM information_schema.global_status
  WHERE variable_name = 'Performance_schema_digest_lost'
  UNION ALL SELECT json_array(left(digest_text, 1000), count_star) FROM events_statements_summary_by_digest
  WHERE schema_name = '${name}'
  UNION ALL SELECT json_array(text, calls) FROM prepared
  UNION ALL SELECT json_array('EXECUTE', ifnull((SELECT sum(calls) FROM executed), 0) -
    ifnull((SELECT sum(calls) FROM prepared), 0))`;

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
    named:
      /^(mysql2?|mariadb|percona|@fastify\/mysql|mysql-connector(-j|-java|-python)?|mariadb-java-client|(aio|py)mysql|flask-mysqldb|mysqlclient|asyncmy|mysql_async|github\.com\/go-sql-driver\/mysql|gorm\.io\/driver\/mysql|quarkus-jdbc-(mysql|mariadb)|mysqlconnector|pomelo\.entityframeworkcore\.mysql)$/i,
    names: /DB|DATABASE|MYSQL|MARIADB|TYPEORM|SQL/,
    jdbc: 'mysql',
  },
  async start({ program, folder, sides, startProgram, isCounting, signal }) {
    const user = await ownerOf(folder, 'mysql', signal);
    const data = join(folder, 'data');
    // The machine's configuration belongs to another server.
    const common = ['--no-defaults', `--datadir=${data}`];
    const initial = ['--auth-root-authentication-method=normal', '--skip-test-db', ...FAST];
    await run('mariadb-install-db', [...common, ...initial], { cwd: folder, ...user, signal });
    const files = [`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`];
    const port = await freePort();
    const address = [`--bind-address=${HOST}`, `--port=${port}`, '--skip-name-resolve'];
    const command = [program, ...common, ...address, ...files, ...FAST, ...(isCounting ? COUNTING : [])];
    const group = await startProgram(command, user);
    const root = ['--no-defaults', '-h', HOST, '-P', String(port), '-u', 'root'];
    await untilServiceAnswers(group, signal, (bounds) => run('mariadb-admin', [...root, 'ping'], bounds));
    for (let side = 0; side < sides; side++) {
      const name = databaseOf(side);
      const user = `CREATE USER ${name}; GRANT ALL ON *.* TO ${name} WITH GRANT OPTION`;
      await run('mariadb', [...root, '-e', `CREATE DATABASE ${name}; ${user}`], { signal });
    }
    const urlOf = (/** @type {number} */ side) =>
      `mysql://${databaseOf(side)}@${HOST}:${port}/${databaseOf(side)}`;
    if (!isCounting) return { urlOf };
    const ask = keepClient('mariadb', [...root, '-rNn', 'performance_schema'], { signal });
    return { urlOf, statementsOf: askStatements(ask, countsOf, UNCLEAR) };
  },
};
