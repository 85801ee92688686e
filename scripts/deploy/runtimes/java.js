/** Java: programs, versions, limits, and planted work. @import { Runtime } from '../runtimes.js' */

import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UserError } from '../../model/errors.js';
import { buildAgent } from '../../system/process/java-agent.js';

const INSTALL_JDK = 'sudo apt-get install default-jdk-headless';
const MAVEN_SAYS = /<(?:java\.version|maven\.compiler\.(?:release|source)|release)>\s*(?:1\.)?(\d+)/;
const GRADLE_SAYS =
  /(?:JavaLanguageVersion\.of\(|jvmToolchain\(|sourceCompatibility\s*=\s*)(?:JavaVersion\.VERSION_)?['"]?(?:1[._])?(\d+)/;
const PLANTED_WORK = fileURLToPath(new URL('./PlantedWork.java', import.meta.url));

/** @type {Runtime} */
export const java = {
  label: 'Java',
  programs: {
    java: INSTALL_JDK,
    javac: INSTALL_JDK,
    mvn: 'sudo apt-get install maven',
    gradle: 'sudo apt-get install gradle, or call the ./gradlew of the project',
  },
  async plant(env) {
    const agent = await buildAgent(PLANTED_WORK, env).catch(({ code, path, message }) => {
      if (code !== 'ENOENT') throw new UserError(`prove: an agent cannot be made: ${message}`);
      throw new UserError(
        `prove: planting work takes ${basename(path)}, which is not installed: ${INSTALL_JDK}`,
      );
    });
    return ({ share }) => ({ ...agent, PLANTED_SHARE: String(share) });
  },
  setup: true,
  compiles: true,
  // Debian's packages of the builders depend on a runtime without a compiler.
  beside: { program: 'javac', usedBy: /(^|[\s/])(mvnw?|gradlew?)(\s|$)/, home: 'JAVA_HOME' },
  // Every JVM reads it, however it starts; the command line overrides it.
  heap: { variable: 'JAVA_TOOL_OPTIONS', option: (bytes) => `-Xmx${Math.round(bytes / 1024)}k` },
  processors: { variable: 'JAVA_TOOL_OPTIONS', option: (count) => `-XX:ActiveProcessorCount=${count}` },
  manifests: ['pom.xml'],
  requires: [
    { file: 'pom.xml', says: MAVEN_SAYS, isLeast: true },
    { file: 'build.gradle', says: GRADLE_SAYS, isLeast: true },
    { file: 'build.gradle.kts', says: GRADLE_SAYS, isLeast: true },
  ],
  roots: ['mvnw', 'settings.gradle', 'settings.gradle.kts'],
  variables: (
    'JAVA_HOME JAVA_HOME_* JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS SDKMAN_DIR MAVEN_HOME M2_HOME ' +
    'MAVEN_OPTS MAVEN_ARGS MAVEN_USER_HOME GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS'
  ).split(' '),
};
