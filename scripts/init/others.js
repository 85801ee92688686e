/**
 * What is not Node: Spring Boot built by Maven or Gradle, Go, PHP, and whatever a Dockerfile starts.
 * @import { Found, Sources } from './types.js'
 */

import { idOf, inside, sourcesIn } from './node.js';
import { findRoute } from './routes.js';

/** Spring reads a port of its own; the jar's name has a version in it. */
const springStart = (/** @type {string} */ jars) =>
  `sh -c 'exec java -Dserver.port=$PORT -Dserver.address=$HOST -jar ${jars}'`;

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]}
 */
export function findSpring(sources, name) {
  return [...sources].flatMap(([file, text]) => {
    const [, folder = '', manifest] = /^(?:(.*)\/)?(pom\.xml|build\.gradle(?:\.kts)?)$/.exec(file) ?? [];
    if (!manifest || !/spring-boot-(maven-plugin|starter)|org\.springframework\.boot/.test(text)) return [];
    const maven = manifest === 'pom.xml';
    const own = sourcesIn(sources, folder);
    // A parent's manifest builds its modules and is no server.
    if (![...own.values()].some((source) => /@SpringBootApplication|SpringApplication\.run/.test(source)))
      return [];
    const wrapper = sources.has(inside(folder, maven ? 'mvnw' : 'gradlew'));
    const build = maven
      ? `${wrapper ? './mvnw' : 'mvn'} --batch-mode --quiet -DskipTests package`
      : `${wrapper ? './gradlew' : 'gradle'} --quiet bootJar`;
    return [
      {
        id: idOf(folder.split('/').at(-1) || name),
        seen: `Spring Boot in ${file}`,
        folder,
        runtime: 'java',
        build,
        start: springStart(maven ? 'target/*.jar' : 'build/libs/*.jar'),
        readyTimeout: '60s',
        needs: /postgresql/.test(text) ? ['postgres'] : [],
        route: findRoute(own),
        paths: folder ? [`${folder}/**`] : [],
        doubts: /postgresql/.test(text)
          ? [
              'Spring reads SPRING_DATASOURCE_URL; DATABASE_URL, which holds the address of postgres, has another form',
            ]
          : [],
      },
    ];
  });
}

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]} a program for each package main that opens an HTTP server
 */
export function findGo(sources, name) {
  return [...sources.keys()]
    .filter((file) => /^(.*\/)?go\.mod$/.test(file))
    .flatMap((file) => {
      const folder = file.slice(0, -'/go.mod'.length);
      const own = sourcesIn(sources, folder);
      const all = [...own.values()].join('\n');
      const programs = new Set(
        [...own]
          .filter(([, text]) => /^package main$/m.test(text) && /\bfunc main\(\)/.test(text))
          .map(([source]) => source.split('/').slice(0, -1).join('/')),
      );
      if (!/\bListenAndServe|\.Run\(|\.Listen\(|\.Start\(|http\.Serve\b/.test(all)) return [];
      return [...programs].map((program) => {
        const from = program === folder ? '.' : `./${program.slice(folder ? folder.length + 1 : 0)}`;
        const id = idOf(program.split('/').at(-1) || name);
        return {
          id,
          seen: `Go in ${file}`,
          folder,
          runtime: 'go',
          build: `go build -o bin/${id} ${from}`,
          start: `./bin/${id}`,
          needs: /lib\/pq|jackc\/pgx/.test(sources.get(file) ?? '') ? ['postgres'] : [],
          route: findRoute(own),
          paths: folder ? [`${folder}/**`] : [],
          doubts: /"PORT"/.test(all)
            ? []
            : ['nothing reads PORT; the server must listen on it to be measured'],
        };
      });
    });
}

/**
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]}
 */
export function findPhp(sources, name) {
  if (!sources.has('composer.json') || !sources.has('public/index.php')) return [];
  return [
    {
      id: idOf(name),
      seen: 'PHP in composer.json and public/index.php',
      folder: '',
      runtime: 'php',
      install: 'composer install --no-dev --no-interaction --quiet',
      start: "sh -c 'exec php -S $HOST:$PORT -t public public/index.php'",
      env: { PHP_CLI_SERVER_WORKERS: '4' },
      needs: [],
      route: findRoute(sources),
      paths: [],
      doubts: ["this is PHP's built-in server; php-fpm or FrankenPHP answer differently under load"],
    },
  ];
}

/**
 * The last resort: how the image starts is how the server starts, once what it needs is on the machine.
 * @param {Sources} sources
 * @param {string} name the repository's
 * @returns {Found[]}
 */
export function findDockerfile(sources, name) {
  const text = sources.get('Dockerfile') ?? '';
  const [, listed] = /^\s*(?:CMD|ENTRYPOINT)\s+(\[.*\])\s*$/m.exec(text) ?? [];
  const command = listed ? wordsOf(listed) : undefined;
  if (!command || command.length === 0) return [];
  return [
    {
      id: idOf(name),
      seen: 'the command of Dockerfile',
      folder: '',
      runtime: command[0] ?? '',
      start: command.map((word) => (/^[\w./=:@-]+$/.test(word) ? word : `"${word}"`)).join(' '),
      needs: [],
      route: findRoute(sources),
      paths: [],
      doubts: ['only the start is known from the Dockerfile: add install and build, as run on this machine'],
    },
  ];
}

/** @param {string} listed */
function wordsOf(listed) {
  try {
    return /** @type {unknown[]} */ (JSON.parse(listed)).map(String);
  } catch {
    return undefined;
  }
}
