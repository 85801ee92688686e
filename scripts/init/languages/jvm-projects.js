/**
 * Spring Boot, Quarkus and Micronaut, built by Maven or Gradle.
 * @import { Candidate, JavaFramework, Project, Recognize, Sources } from '../candidates.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { foldersAbove, joinedText, nameOf, projectsIn } from '../source-tree.js';
import { JAVA } from '../frameworks.js';
import { completed } from '../server.js';

const MANIFESTS = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const MANIFEST = /^(pom\.xml|build\.gradle(\.kts)?)$/;

/** @type {Recognize} */
export function findJvm(sources, name) {
  return projectsIn(sources, MANIFEST).flatMap(({ own, folder }) => {
    const builds = buildsOf(sources, folder);
    const root = builds.at(-1) ?? folder;
    const read = (/** @type {string} */ path) => sources.get(path) ?? '';
    const texts = builds.flatMap((place) => MANIFESTS.map((file) => read(posix.join(place, file))));
    const framework = JAVA.find(
      ({ needs, code }) => needs.test(texts.join('\n')) && code?.test(joinedText(own)),
    );
    if (!framework) return [];
    const files = MANIFESTS.filter((each) => sources.has(posix.join(folder, each)));
    // Maven's, unless only Gradle has a wrapper.
    const isGradle = sources.has(posix.join(root, 'gradlew')) && !sources.has(posix.join(root, 'mvnw'));
    const file = (isGradle && files.find((each) => each !== 'pom.xml')) || (files[0] ?? '');
    const project = { sources, own, folder, manifest: read(posix.join(folder, file)) };
    return describe(project, { framework, root, file, id: nameOf(folder) || name });
  });
}

/**
 * A module may need the modules beside it. Returns itself, and the folders of the builds it is part of, the
 * outermost last.
 * @type {(sources: Sources, folder: string) => string[]}
 */
function buildsOf(sources, folder) {
  const builds = [folder];
  for (const place of foldersAbove(folder)) {
    const module = posix.relative(place, builds.at(-1) ?? folder);
    const read = (/** @type {string} */ file) => sources.get(posix.join(place, file)) ?? '';
    // include(':apps:shop')
    const isNamed = (/** @type {string} */ text) =>
      [...text.matchAll(/['"]:?([^'"\n]+)['"]/g)].some(([, name]) => name?.replaceAll(':', '/') === module);
    const isMaven = read('pom.xml').includes(`<module>${module}</module>`);
    if (isMaven || ['settings.gradle', 'settings.gradle.kts'].some((file) => isNamed(read(file))))
      builds.push(place);
  }
  return builds;
}

/**
 * @type {(project: Project & { manifest: string },
 *   build: { framework: JavaFramework, root: string, file: string, id: string }) => Candidate}
 */
function describe(project, { framework, root, file, id }) {
  const { sources, folder } = project;
  const isMaven = file === 'pom.xml';
  const module = posix.relative(root, folder);
  const wrapper = posix.join(root, isMaven ? 'mvnw' : 'gradlew');
  const program = sources.has(wrapper) ? `sh ./${nameOf(wrapper)}` : isMaven ? 'mvn' : 'gradle';
  const jar = isMaven ? `target/${framework.jar.maven}` : `build/${framework.jar.gradle}`;
  const server = {
    id,
    evidence: `${framework.name} in ${posix.join(folder, file)}`,
    folder: root,
    runtime: 'java',
    build: isMaven
      ? `${program} --batch-mode --quiet -DskipTests ${module && `--projects ${quoted(module)} --also-make `}package`
      : `${program} --quiet --no-daemon ${quoted(`${module && `:${module.replaceAll('/', ':')}:`}${framework.jar.task}`)}`,
    commands: [`java ${framework.start} -jar ${posix.join(module && quoted(module), jar)}`],
    readyTimeout: '60s',
  };
  return completed({ ...project, jdbc: framework.database }, server);
}
