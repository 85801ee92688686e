/**
 * Frameworks, a row for each, by language. The first one that a project uses names the server, so a framework
 * comes before those it builds on; one without a name is called as its package.
 * @import { Framework, JavaFramework, PythonFramework } from './candidates.js'
 */

import { quoted } from '../system/process/shell.js';

const gunicorn = (/** @type {string} */ app) => `gunicorn --bind $HOST:$PORT --threads 4 ${app}`;

/** @type {Framework[]} */
export const NODE = [
  { name: 'Next.js', needs: /^next$/, start: 'npx next start', tool: /\bnext (dev|build|start)/ },
  { name: 'Nuxt', needs: /^nuxt$/, start: 'node .output/server/index.mjs', tool: /\bnux[ti]\b/ },
  {
    name: 'Remix',
    needs: /^@(remix-run|react-router)\/(serve|node|express)$/,
    start: 'npx remix-serve ./build/server/index.js',
    tool: /\b(remix|react-router)\b/,
  },
  { name: 'SvelteKit', needs: /^@sveltejs\/adapter-node$/, start: 'node build', tool: /\bvite build/ },
  { name: 'Astro', needs: /^@astrojs\/node$/, start: 'node dist/server/entry.mjs', tool: /\bastro\b/ },
  { name: 'AdonisJS', needs: /^@adonisjs\/core$/, start: 'node build/bin/server.js', tool: /\bace\b/ },
  { name: 'NestJS', needs: /^@nestjs\/core$/, start: 'node dist/main.js', tool: /\bnest\b/ },
  {
    name: 'Express',
    needs: /^express$/,
    library: {
      what: 'middleware of Express',
      server: `import express from 'express';

const app = express();
app.use(library());
app.get('/', (request, response) => response.json({ hello: 'world' }));
app.listen(Number(process.env.PORT), process.env.HOST);
`,
    },
  },
  {
    name: 'Fastify',
    needs: /^fastify$/,
    library: {
      what: 'a plugin of Fastify',
      server: `import Fastify from 'fastify';

const app = Fastify();
app.register(library);
app.get('/', async () => ({ hello: 'world' }));
await app.listen({ port: Number(process.env.PORT), host: process.env.HOST });
`,
    },
  },
  {
    name: 'Koa',
    needs: /^koa$/,
    library: {
      what: 'middleware of Koa',
      server: `import Koa from 'koa';

const app = new Koa();
app.use(library());
app.use((context) => {
  context.body = { hello: 'world' };
});
app.listen(Number(process.env.PORT), process.env.HOST);
`,
    },
  },
  {
    name: '',
    needs:
      /^(@hapi\/hapi|hono|@hono\/node-server|elysia|polka|restify|h3|nitro(pack)?|@trpc\/server|(@apollo\/|apollo-)server|graphql-yoga|mercurius)$/,
  },
];

/** @type {PythonFramework[]} */
export const PYTHON = [
  {
    name: 'Django',
    needs: /^\W*django\b/im,
    code: /(application)\s*=\s*get_wsgi_application\(/,
    server: 'gunicorn',
    serve: ({ place, reference }) => gunicorn(`${place && `--chdir ${quoted(place)} `}${reference}`),
  },
  {
    name: 'FastAPI',
    needs: /\b(fastapi|starlette)\b/i,
    code: /^(?:def\s+)?(\w+)(?:\s*:\s*\w+)?(?:\s*=\s*(?:FastAPI|Starlette)\(|\([^)]*\)\s*->\s*FastAPI\s*:)/m,
    server: 'uvicorn',
    serve: ({ reference, isFactory }) =>
      `uvicorn ${isFactory ? '--factory ' : ''}--host $HOST --port $PORT ${reference}`,
  },
  {
    name: 'Flask',
    needs: /\bflask\b/i,
    code: /^(\w+)\s*=\s*(?:Flask\(|create_app\()|^def\s+(create_app|make_app)\(/m,
    server: 'gunicorn',
    serve: ({ reference, isFactory }) => gunicorn(isFactory ? `'${reference}()'` : reference),
  },
];

const QUARKUS = 'quarkus-app/quarkus-run.jar';
/** @type {JavaFramework[]} */
export const JAVA = [
  {
    name: 'Quarkus',
    needs: /io\.quarkus/,
    code: /@Path\b|@Route\b|QuarkusApplication|jakarta\.ws\.rs|@RestController/,
    start: '-Dquarkus.http.host=$HOST -Dquarkus.http.port=$PORT',
    jar: { maven: QUARKUS, gradle: QUARKUS, task: 'quarkusBuild' },
    database: ['QUARKUS_DATASOURCE_JDBC_URL', 'QUARKUS_DATASOURCE_USERNAME'],
  },
  {
    name: 'Micronaut',
    needs: /io\.micronaut/,
    code: /Micronaut\.(run|build)|@Controller\b/,
    start: '-Dmicronaut.server.host=$HOST -Dmicronaut.server.port=$PORT',
    jar: { maven: '*.jar', gradle: 'libs/*-all.jar', task: 'shadowJar' },
    database: ['DATASOURCES_DEFAULT_URL', 'DATASOURCES_DEFAULT_USERNAME'],
  },
  {
    name: 'Spring Boot',
    needs: /spring-boot-(maven-plugin|starter)|org\.springframework\.boot/,
    code: /@SpringBootApplication|SpringApplication\.run|runApplication\s*</,
    start: '-Dserver.address=$HOST -Dserver.port=$PORT',
    jar: { maven: '*.jar', gradle: 'libs/*.jar', task: 'bootJar' },
    database: ['SPRING_DATASOURCE_URL', 'SPRING_DATASOURCE_USERNAME'],
  },
];

/** @type {Framework[]} */
export const RUST = [
  { name: 'Rocket', needs: /^rocket\b/m, start: 'ROCKET_ADDRESS=$HOST ROCKET_PORT=$PORT ' },
  { name: '', needs: /^(actix-web|axum|poem|salvo|warp|hyper)\b/m },
];
