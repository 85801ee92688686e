/** Spring Boot, Quarkus and Micronaut, by Maven or Gradle. @import { Recognize } from '../candidates.js' */

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
    const read = (/** @type {string} */ path) => sources.get(path) ?? '';
    // A module may need the modules beside it, so that the outermost build that it is a part of is run.
    const builds = [folder];
    for (const place of foldersAbove(folder)) {
      const part = posix.relative(place, builds.at(-1) ?? folder);
      // include(':apps:shop')
      const isNamed = (/** @type {string} */ file) =>
        [...read(posix.join(place, file)).matchAll(/['"]:?([^'"\n]+)['"]/g)].some(
          ([, each]) => each?.replaceAll(':', '/') === part,
        );
      const isMaven = read(posix.join(place, 'pom.xml')).includes(`<module>${part}</module>`);
      if (isMaven || isNamed('settings.gradle') || isNamed('settings.gradle.kts')) builds.push(place);
    }
    const root = builds.at(-1) ?? folder;
    const texts = builds.flatMap((place) => MANIFESTS.map((file) => read(posix.join(place, file))));
    const framework = JAVA.find(
      ({ needs, code }) => needs.test(texts.join('\n')) && code?.test(joinedText(own)),
    );
    if (!framework) return [];
    const files = MANIFESTS.filter((each) => sources.has(posix.join(folder, each)));
    // Maven's, unless only Gradle has a wrapper.
    const isGradle = sources.has(posix.join(root, 'gradlew')) && !sources.has(posix.join(root, 'mvnw'));
    const file = (isGradle && files.find((each) => each !== 'pom.xml')) || (files[0] ?? '');
    const manifest = posix.join(folder, file);
    const isMaven = file === 'pom.xml';
    const module = posix.relative(root, folder);
    const wrapper = isMaven ? 'mvnw' : 'gradlew';
    const plain = isMaven ? 'mvn' : 'gradle';
    const program = sources.has(posix.join(root, wrapper)) ? `sh ./${wrapper}` : plain;
    const jar = isMaven ? `target/${framework.jar.maven}` : `build/${framework.jar.gradle}`;
    return completed(
      { sources, own, folder, manifest: read(manifest), jdbc: framework.database },
      {
        id: nameOf(folder) || name,
        evidence: `${framework.name} in ${manifest}`,
        folder: root,
        runtime: 'java',
        build: isMaven
          ? `${program} --batch-mode --quiet -DskipTests ${module && `--projects ${quoted(module)} --also-make `}package`
          : `${program} --quiet --no-daemon ${quoted(`${module && `:${module.replaceAll('/', ':')}:`}${framework.jar.task}`)}`,
        commands: [`java ${framework.start} -jar ${posix.join(module && quoted(module), jar)}`],
        readyTimeout: '60s',
      },
    );
  });
}
