/**
 * Spring Boot, Quarkus and Micronaut, built by Maven or Gradle: a row for each framework and each tool.
 * @import { Found, Recognize, Sources } from '../types.js'
 */

import { COMPANIONS } from '../../deploy/services.js';
import { findDatabases } from '../databases.js';
import { folderOf, idOf, inside, nameOf, sourcesIn, textOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';

/**
 * says: in the build file; code: what a module that is a server has in its sources; port: how it is told; data: the
 * variables for the address, user and password of its SQL database.
 * @typedef {{ name: string, says: RegExp, code: RegExp, port: string, jars: { maven: string, gradle: string },
 *   task: string, data: [address: string, user: string] }} Framework
 */

/** @type {Framework[]} */
const FRAMEWORKS = [
  {
    name: 'Quarkus',
    says: /io\.quarkus/,
    code: /@Path\b|@Route\b|QuarkusApplication|jakarta\.ws\.rs|@RestController/,
    port: '-Dquarkus.http.host=$HOST -Dquarkus.http.port=$PORT',
    jars: { maven: 'quarkus-app/quarkus-run.jar', gradle: 'quarkus-app/quarkus-run.jar' },
    task: 'quarkusBuild',
    data: ['QUARKUS_DATASOURCE_JDBC_URL', 'QUARKUS_DATASOURCE_USERNAME'],
  },
  {
    name: 'Micronaut',
    says: /io\.micronaut/,
    code: /Micronaut\.(run|build)|@Controller\b/,
    port: '-Dmicronaut.server.host=$HOST -Dmicronaut.server.port=$PORT',
    jars: { maven: '*.jar', gradle: 'libs/*-all.jar' },
    task: 'shadowJar',
    data: ['DATASOURCES_DEFAULT_URL', 'DATASOURCES_DEFAULT_USERNAME'],
  },
  {
    name: 'Spring Boot',
    says: /spring-boot-(maven-plugin|starter)|org\.springframework\.boot/,
    code: /@SpringBootApplication|SpringApplication\.run|runApplication\s*</,
    port: '-Dserver.address=$HOST -Dserver.port=$PORT',
    jars: { maven: '*.jar', gradle: 'libs/*.jar' },
    task: 'bootJar',
    data: ['SPRING_DATASOURCE_URL', 'SPRING_DATASOURCE_USERNAME'],
  },
];
const MANIFEST = /^(pom\.xml|build\.gradle(\.kts)?)$/;
/** @type {Recognize} */
export function findJvm(sources, name) {
  const folders = new Set([...sources.keys()].filter((file) => MANIFEST.test(nameOf(file))).map(folderOf));
  return [...folders].flatMap((folder) => readModule(sources, folder, name));
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {string} name the repository's
 * @returns {Found[]} none where the module is no server
 */
function readModule(sources, folder, name) {
  const own = sourcesIn(sources, folder, MANIFEST);
  const manifests = ['pom.xml', 'build.gradle', 'build.gradle.kts'].filter((each) =>
    sources.has(inside(folder, each)),
  );
  const above = parentOf(sources, folder);
  const said = [folder, above]
    .flatMap((each) => manifests.map((file) => sources.get(inside(each, file)) ?? ''))
    .join('\n');
  const framework = FRAMEWORKS.find(({ says, code }) => says.test(said) && code.test(textOf(own)));
  if (!framework) return [];
  const hasGradle = manifests.some((each) => each.startsWith('build.gradle'));
  const maven =
    manifests.includes('pom.xml') &&
    !(hasGradle && !sources.has(inside(above, 'mvnw')) && sources.has(inside(above, 'gradlew')));
  const manifest = /** @type {string} */ (maven ? 'pom.xml' : manifests.find((each) => each !== 'pom.xml'));
  const module = folder.slice(above ? above.length + 1 : 0);
  const target = inside(module, maven ? 'target' : 'build');
  const text = sources.get(inside(folder, manifest)) ?? '';
  const { needs, start, doubts } = startWith(
    framework,
    { sources, own, folder, text },
    `${target}/${jarOf(framework, maven, text)}`,
  );
  return [
    {
      id: idOf(folder.split('/').at(-1) || name),
      seen: `${framework.name} in ${inside(folder, manifest)}`,
      folder: above,
      runtime: 'java',
      build: maven
        ? mavenLine(sources, above, module)
        : gradleLine(sources, above, { module, task: framework.task }),
      start,
      readyTimeout: '60s',
      needs,
      route: findRoute(own),
      paths: above ? [`${above}/**`] : [],
      doubts,
    },
  ];
}

/**
 * A module is built from where the whole is, as it may need its siblings.
 * @param {Sources} sources
 * @param {string} folder
 * @returns {string} the folder of the build that the module is part of, or its own
 */
function parentOf(sources, folder) {
  for (let at = folder; at !== '';) {
    at = folderOf(at);
    const module = folder.slice(at ? at.length + 1 : 0);
    const pom = sources.get(inside(at, 'pom.xml')) ?? '';
    const settings =
      sources.get(inside(at, 'settings.gradle')) ?? sources.get(inside(at, 'settings.gradle.kts')) ?? '';
    if (pom.includes(`<module>${module}</module>`)) return at;
    if (new RegExp(`['"]:?${module.replaceAll('/', '[:/]')}['"]`).test(settings)) return at;
  }
  return folder;
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {string} module
 */
function mavenLine(sources, folder, module) {
  const program = sources.has(inside(folder, 'mvnw')) ? 'sh ./mvnw' : 'mvn';
  return `${program} --batch-mode --quiet -DskipTests ${module ? `--projects ${module} --also-make ` : ''}package`;
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {{ module: string, task: string }} of
 */
function gradleLine(sources, folder, { module, task }) {
  const program = sources.has(inside(folder, 'gradlew')) ? 'sh ./gradlew' : 'gradle';
  return `${program} --quiet --no-daemon ${module ? `:${module.replaceAll('/', ':')}:` : ''}${task}`;
}

/**
 * The version is part of the name, and other jars may lie beside it.
 * @param {Framework} framework
 * @param {boolean} maven
 * @param {string} pom
 */
function jarOf({ jars }, maven, pom) {
  if (!maven) return jars.gradle;
  const own = pom.replace(/<parent>[\s\S]*?<\/parent>|<(dependenc|build|profile)\w*>[\s\S]*?<\/\1\w*>/g, '');
  const artifact = /<artifactId>([\w.-]+)<\/artifactId>/.exec(own)?.[1];
  const final = /<finalName>([\w.-]+)<\/finalName>/.exec(pom)?.[1];
  if (jars.maven !== '*.jar') return jars.maven;
  if (final) return `${final}.jar`;
  return artifact ? `${artifact}-*.jar` : jars.maven;
}

/**
 * @param {Framework} framework
 * @param {{ sources: Sources, own: Sources, folder: string, text: string }} of text: of its build file
 * @param {string} jar
 */
function startWith({ port, data }, { sources, own, folder, text }, jar) {
  const { needs, doubts } = findDatabases({ sources, own, folder, manifest: text });
  const sql = needs.find((id) => COMPANIONS[id]?.seen?.jdbc);
  const code = textOf(own);
  const { parts, seen } = COMPANIONS[sql ?? ''] ?? {};
  const named = /\b(?:DATABASE_URL|PGHOST|MYSQL_HOST)\b/.test(code);
  const address = `jdbc:${seen?.jdbc}://$${parts}HOST:$${parts}PORT/$${parts}DATABASE`;
  const told = sql && !named ? `${data[0]}=${address} ${data[1]}=$${parts}USER ` : '';
  return {
    needs,
    start: `${told}java ${port} -jar ${jar}`,
    doubts: doubts.filter((doubt) => !(sql && doubt.endsWith(` ${sql}`))),
  };
}
