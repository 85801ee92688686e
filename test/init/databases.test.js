/** Exact names of packages, images and dialects name a database; what only resembles them does not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findDatabases, migrationsOf } from '../../scripts/init/databases.js';

/** @param {{ dependencies?: string[], manifest?: string, files?: Record<string, string> }} project */
function namedBy({ files = {}, ...project }) {
  const sources = new Map(Object.entries(files));
  return findDatabases({ sources, own: sources, folder: '', ...project })
    .map(({ id }) => id)
    .join();
}

/** Dependencies, lines of manifests, images and dialects. @type {[id: string, ...string[][]][]} */
const NAMES = [
  [
    'postgres',
    ['pg', 'postgres', 'pg-promise', '@prisma/adapter-pg'],
    [
      'psycopg[binary]==3.2',
      'psycopg2-binary>=2.9 # driver',
      'require github.com/jackc/pgx/v5 v5.7.1',
      '<artifactId>postgresql</artifactId>',
      'runtimeOnly "org.postgresql:postgresql:42.7"',
      'sqlx = { version = "0.8", features = ["postgres"] }',
      "gem 'pg', '~> 1.5'",
      'Include="Npgsql.EntityFrameworkCore.PostgreSQL"',
    ],
    ['postgres:16', 'docker.io/bitnami/postgresql', '"postgis/postgis:16-3.4"'],
    ['provider = "postgresql"', "dialect: 'postgres'", 'DB_CONNECTION=pgsql'],
  ],
  [
    'mysql',
    ['mysql2', 'mariadb'],
    ['PyMySQL==1.1', '<artifactId>mysql-connector-j</artifactId>', 'gorm.io/driver/mysql v1.5'],
    ['mariadb:11', 'mysql'],
    ['type: "mysql"', 'DB_CONNECTION=mysql'],
  ],
  [
    'mongo',
    ['mongoose', '@nestjs/mongoose', 'mongodb'],
    ['motor==3.6', 'go.mongodb.org/mongo-driver/v2 v2.0', "gem 'mongoid'"],
    ['mongo:7', 'bitnami/mongodb'],
    ['provider = "mongodb"'],
  ],
  [
    'redis',
    ['ioredis', 'bullmq'],
    ['celery[redis]', 'github.com/redis/go-redis/v9 v9.7', '"predis/predis": "^2"'],
    ['redis:7-alpine', 'registry:5000/valkey@sha256:0'],
    [],
  ],
];
for (const [id, dependencies = [], manifests = [], images = [], dialects = []] of NAMES)
  test(`exact names of ${id}`, () => {
    for (const name of dependencies) assert.equal(namedBy({ dependencies: [name] }), id, name);
    for (const manifest of manifests) assert.equal(namedBy({ manifest }), id, manifest);
    for (const image of images)
      assert.equal(
        namedBy({ files: { 'compose.yaml': `services:\n  store:\n    image: ${image}\n` } }),
        id,
        image,
      );
    for (const dialect of dialects)
      assert.equal(namedBy({ files: { '.env.example': dialect } }), id, dialect);
  });

test('a double, a client of another thing, a comment and a mere variable name no database', () => {
  const dependencies =
    'mongodb-memory-server redis-mock ioredis-mock pg-mem mysql-mimic mongoose-lean-id @types/pg';
  assert.equal(namedBy({ dependencies: dependencies.split(' ') }), '');
  for (const manifest of [
    '# psycopg2==2.9\nfakeredis==2\nmongomock==4',
    '<!-- <artifactId>postgresql</artifactId> -->',
    '// github.com/go-sql-driver/mysql v1.8',
    '<project xmlns="http://mysql.example/pom">',
  ])
    assert.equal(namedBy({ manifest }), '', manifest);
  const compose =
    'services:\n  api:\n    image: shop/mongo-express-api\n    environment:\n      REDIS_URL: ${REDIS_URL}\n#    image: mysql\n';
  assert.equal(namedBy({ files: { 'compose.yaml': compose } }), '');
  assert.equal(namedBy({ files: { 'server.js': 'const client = redis.createClient();' } }), '');
});

test('a script that may publish is no migration', () => {
  const scripts = { deploy: 'x', push: 'x', 'db:push': 'x', 'migrate:deploy': 'x' };
  const node = { manifest: { scripts }, run: 'npm run' };
  assert.deepEqual(migrationsOf({ sources: new Map(), own: new Map(), folder: '', node }, []), [
    'npm run db:push',
    'npm run migrate:deploy',
  ]);
});
