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
    const read = (/** @type {string} */ path) => sources.get(path) ?? '';
    const builds = [folder, root].flatMap((place) => MANIFESTS.map((file) => read(posix.join(place, file))));
    const framework = FRAMEWORKS.find(
      ({ dependency, code }) => dependency.test(builds.join('\n')) && code.test(textOf(own)),
    );
    if (!framework) return [];
    const file = buildFileOf(sources, folder, root);
    const project = { sources, own, folder, manifest: read(posix.join(folder, file)) };
    return describe(project, { framework, root, file, id: idOf(nameOf(folder) || name) });
  });
}

/** The folder of the build that a module is part of: it may need the modules beside it. @param {Sources} sources @param {string} folder */
function rootOf(sources, folder) {
  for (let root = folder; root !== '';) {
    root = folderOf(root);
    const module = posix.relative(root, folder);
    const read = (/** @type {string} */ file) => sources.get(posix.join(root, file)) ?? '';
    const isNamed = (/** @type {string} */ text) =>
      [...text.matchAll(/['"]:?([^'"\n]+)['"]/g)].some(([, name]) => name?.replaceAll(':', '/') === module);
    if (read('pom.xml').includes(`<module>${module}</module>`)) return root;
    if (['settings.gradle', 'settings.gradle.kts'].some((file) => isNamed(read(file)))) return root;
  }
  return folder;
}

/** Maven's, unless only Gradle has a wrapper. @param {Sources} sources @param {string} folder @param {string} root */
function buildFileOf(sources, folder, root) {
  const files = MANIFESTS.filter((file) => sources.has(posix.join(folder, file)));
  const isGradle = sources.has(posix.join(root, 'gradlew')) && !sources.has(posix.join(root, 'mvnw'));
  return (isGradle && files.find((file) => file !== 'pom.xml')) || (files[0] ?? '');
}

/** @param {Project & { manifest: string }} project @param {{ framework: Framework, root: string, file: string, id: string }} build @returns {Candidate} */
function describe(project, { framework, root, file, id }) {
  const { sources, own, folder, manifest } = project;
  const isMaven = file === 'pom.xml';
  const module = posix.relative(root, folder);
  const wrapper = posix.join(root, isMaven ? 'mvnw' : 'gradlew');
  const program = sources.has(wrapper) ? `sh ./${nameOf(wrapper)}` : isMaven ? 'mvn' : 'gradle';
  const jar = isMaven ? `target/${mavenJar(framework, manifest)}` : `build/${framework.gradleJar}`;
  const server = {
    id,
    evidence: `${framework.name} in ${posix.join(folder, file)}`,
    folder: root,
    runtime: 'java',
    build: isMaven
      ? `${program} --batch-mode --quiet -DskipTests ${module && `--projects ${module} --also-make `}package`
      : `${program} --quiet --no-daemon ${module && `:${module.replaceAll('/', ':')}:`}${framework.task}`,
    commands: [`java ${framework.port} -jar ${posix.join(module, jar)}`],
    readyTimeout: '60s',
    route: findRoute(own),
  };
  const { needs, toDos } = findDatabases(project);
  const database = needs.find((need) => COMPANIONS[need]?.seen?.jdbc);
  const assignments = database ? databaseAssignments(framework, database, textOf(own)) : '';
  const databaseToDos = toDos.filter((toDo) => !toDo.endsWith(` ${database}`));
  return completed(server, { databases: { needs, assignments, toDos: databaseToDos } });
}

/** Its version is part of the name, and other jars may lie beside it. @param {Framework} framework @param {string} pom @returns {string} */
function mavenJar({ mavenJar: jar }, pom) {
  if (jar !== '*.jar') return jar;
  const [, name] = /<finalName>([\w.-]+)<\/finalName>/.exec(pom) ?? [];
  if (name) return `${name}.jar`;
  const own = pom.replace(/<parent>[\s\S]*?<\/parent>|<(dependenc|build|profile)\w*>[\s\S]*?<\/\1\w*>/g, '');
  const [, artifact] = /<artifactId>([\w.-]+)<\/artifactId>/.exec(own) ?? [];
  return artifact ? `${artifact}-*.jar` : jar;
}

/** @param {Framework} framework @param {string} id @param {string} code @returns {string} */
function databaseAssignments({ database: [address, user] }, id, code) {
  if (/\b(?:DATABASE_URL|PGHOST|MYSQL_HOST)\b/.test(code)) return '';
  const { prefix, seen } = COMPANIONS[id] ?? {};
  const url = `jdbc:${seen?.jdbc}://$${prefix}HOST:$${prefix}PORT/$${prefix}DATABASE`;
  return `${address}=${url} ${user}=$${prefix}USER`;
}
