/**
 * Spring Boot, Quarkus and Micronaut, built by Maven or Gradle.
 * @import { Candidate, Project, Recognize, Sources } from '../types.js'
 */

import { posix } from 'node:path';
import { COMPANIONS } from '../../deploy/services.js';
import { findDatabases } from '../databases.js';
import { folderOf, foldersWith, idOf, nameOf, sourcesIn, textOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { completed } from '../server.js';

/**
 * @typedef {object} Framework
 * @property {string} name
 * @property {RegExp} dependency in the build file
 * @property {RegExp} code in the sources of a module that is a server
 * @property {string} port the options that set host and port
 * @property {string} mavenJar in target/; "*.jar" for the artifact's name
 * @property {string} gradleJar in build/
 * @property {string} task Gradle's
 * @property {[address: string, user: string]} database the variables that name its SQL database
 */

/** @type {Framework[]} */
const FRAMEWORKS = [
  {
    name: 'Quarkus',
    dependency: /io\.quarkus/,
    code: /@Path\b|@Route\b|QuarkusApplication|jakarta\.ws\.rs|@RestController/,
    port: '-Dquarkus.http.host=$HOST -Dquarkus.http.port=$PORT',
    mavenJar: 'quarkus-app/quarkus-run.jar',
    gradleJar: 'quarkus-app/quarkus-run.jar',
    task: 'quarkusBuild',
    database: ['QUARKUS_DATASOURCE_JDBC_URL', 'QUARKUS_DATASOURCE_USERNAME'],
  },
  {
    name: 'Micronaut',
    dependency: /io\.micronaut/,
    code: /Micronaut\.(run|build)|@Controller\b/,
    port: '-Dmicronaut.server.host=$HOST -Dmicronaut.server.port=$PORT',
    mavenJar: '*.jar',
    gradleJar: 'libs/*-all.jar',
    task: 'shadowJar',
    database: ['DATASOURCES_DEFAULT_URL', 'DATASOURCES_DEFAULT_USERNAME'],
  },
  {
    name: 'Spring Boot',
    dependency: /spring-boot-(maven-plugin|starter)|org\.springframework\.boot/,
    code: /@SpringBootApplication|SpringApplication\.run|runApplication\s*</,
    port: '-Dserver.address=$HOST -Dserver.port=$PORT',
    mavenJar: '*.jar',
    gradleJar: 'libs/*.jar',
    task: 'bootJar',
    database: ['SPRING_DATASOURCE_URL', 'SPRING_DATASOURCE_USERNAME'],
  },
];
const MANIFESTS = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const MANIFEST = /^(pom\.xml|build\.gradle(\.kts)?)$/;

/** @type {Recognize} */
export function findJvm(sources, name) {
  return foldersWith(sources, MANIFEST).flatMap((folder) => {
    const own = sourcesIn(sources, folder, MANIFEST);
    const root = rootOf(sources, folder);
    const read = (/** @type {string} */ place, /** @type {string} */ file) =>
      sources.get(posix.join(place, file)) ?? '';
    const builds = [folder, root].flatMap((place) => MANIFESTS.map((file) => read(place, file))).join('\n');
    const framework = FRAMEWORKS.find(
      ({ dependency, code }) => dependency.test(builds) && code.test(textOf(own)),
    );
    if (!framework) return [];
    const file = buildFileOf(sources, folder, root);
    const project = { sources, own, folder, manifest: read(folder, file) };
    return [describe(project, { framework, root, file, id: idOf(nameOf(folder) || name) })];
  });
}

/**
 * @param {Sources} sources
 * @param {string} folder of a module
 * @returns {string} the folder of the build that the module is part of, since it may need the modules beside it
 */
function rootOf(sources, folder) {
  for (let root = folder; root !== '';) {
    root = folderOf(root);
    const module = posix.relative(root, folder);
    const pom = sources.get(posix.join(root, 'pom.xml')) ?? '';
    const settings = ['settings.gradle', 'settings.gradle.kts']
      .map((file) => sources.get(posix.join(root, file)) ?? '')
      .join('\n');
    if (pom.includes(`<module>${module}</module>`)) return root;
    if (new RegExp(`['"]:?${module.replaceAll('/', '[:/]')}['"]`).test(settings)) return root;
  }
  return folder;
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {string} root
 * @returns {string} Maven's, unless Gradle's wrapper alone says who builds
 */
function buildFileOf(sources, folder, root) {
  const files = MANIFESTS.filter((file) => sources.has(posix.join(folder, file)));
  const hasWrapper = (/** @type {string} */ file) => sources.has(posix.join(root, file));
  const gradle = files.find((file) => file !== 'pom.xml');
  const [first = ''] = files;
  return gradle && hasWrapper('gradlew') && !hasWrapper('mvnw') ? gradle : first;
}

/**
 * @param {Project & { manifest: string }} project
 * @param {{ framework: Framework, root: string, file: string, id: string }} server file: of the build
 * @returns {Candidate}
 */
function describe(project, { framework, root, file, id }) {
  const { sources, own, folder, manifest } = project;
  const isMaven = file === 'pom.xml';
  const module = posix.relative(root, folder);
  const jar = isMaven
    ? posix.join(module, 'target', mavenJar(framework, manifest))
    : posix.join(module, 'build', framework.gradleJar);
  const start = `java ${framework.port} -jar ${jar}`;
  const server = {
    id,
    evidence: `${framework.name} in ${posix.join(folder, file)}`,
    folder: root,
    runtime: 'java',
    build: isMaven ? mavenLine(sources, root, module) : gradleLine(sources, root, { module, framework }),
    commands: [start],
    readyTimeout: '60s',
    route: findRoute(own),
    paths: root ? [`${root}/**`] : [],
  };
  const { needs, toDos } = findDatabases(project);
  const database = needs.find((need) => COMPANIONS[need]?.seen?.jdbc);
  const assignments = database ? databaseAssignments(framework, database, textOf(own)) : '';
  const databaseToDos = toDos.filter((toDo) => !toDo.endsWith(` ${database}`));
  return completed(server, { databases: { needs, assignments, toDos: databaseToDos } });
}

/**
 * @param {Framework} framework
 * @param {string} pom
 * @returns {string} its version is part of the name, and other jars may lie beside it
 */
function mavenJar({ mavenJar: jar }, pom) {
  if (jar !== '*.jar') return jar;
  const [, name] = /<finalName>([\w.-]+)<\/finalName>/.exec(pom) ?? [];
  if (name) return `${name}.jar`;
  const own = pom.replace(/<parent>[\s\S]*?<\/parent>|<(dependenc|build|profile)\w*>[\s\S]*?<\/\1\w*>/g, '');
  const [, artifact] = /<artifactId>([\w.-]+)<\/artifactId>/.exec(own) ?? [];
  return artifact ? `${artifact}-*.jar` : jar;
}

/** @param {Sources} sources @param {string} root @param {string} module */
function mavenLine(sources, root, module) {
  const program = sources.has(posix.join(root, 'mvnw')) ? 'sh ./mvnw' : 'mvn';
  return `${program} --batch-mode --quiet -DskipTests ${module ? `--projects ${module} --also-make ` : ''}package`;
}

/** @param {Sources} sources @param {string} root @param {{ module: string, framework: Framework }} build */
function gradleLine(sources, root, { module, framework: { task } }) {
  const program = sources.has(posix.join(root, 'gradlew')) ? 'sh ./gradlew' : 'gradle';
  return `${program} --quiet --no-daemon ${module ? `:${module.replaceAll('/', ':')}:` : ''}${task}`;
}

/** @param {Framework} framework @param {string} id @param {string} code @returns {string} */
function databaseAssignments({ database: [address, user] }, id, code) {
  if (/\b(?:DATABASE_URL|PGHOST|MYSQL_HOST)\b/.test(code)) return '';
  const { parts, seen } = COMPANIONS[id] ?? {};
  const url = `jdbc:${seen?.jdbc}://$${parts}HOST:$${parts}PORT/$${parts}DATABASE`;
  return `${address}=${url} ${user}=$${parts}USER`;
}
