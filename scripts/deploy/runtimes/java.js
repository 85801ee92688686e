/** @import { Runtime } from '../runtimes.js' */

/** @type {Runtime} */
export const java = {
  label: 'Java',
  programs: {
    java: 'sudo apt-get install default-jdk-headless',
    javac: 'sudo apt-get install default-jdk-headless',
    mvn: 'sudo apt-get install maven',
    gradle: 'sudo apt-get install gradle, or call the ./gradlew of the project',
  },
  setup: true,
  compiles: true,
  // Debian's packages of the builders depend on a runtime without a compiler.
  beside: { program: 'javac', usedBy: /(^|[\s/])(mvnw?|gradlew?)(\s|$)/, home: 'JAVA_HOME' },
  // Every JVM reads it, however it starts; the command line overrides it.
  heap: { variable: 'JAVA_TOOL_OPTIONS', option: (bytes) => `-Xmx${Math.round(bytes / 1024)}k` },
  processors: { variable: 'JAVA_TOOL_OPTIONS', option: (count) => `-XX:ActiveProcessorCount=${count}` },
  manifests: ['pom.xml'],
  roots: ['mvnw', 'settings.gradle', 'settings.gradle.kts'],
  variables: (
    'JAVA_HOME JAVA_HOME_* JAVA_OPTS JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS SDKMAN_DIR MAVEN_HOME M2_HOME ' +
    'MAVEN_OPTS MAVEN_ARGS MAVEN_USER_HOME GRADLE_HOME GRADLE_USER_HOME GRADLE_OPTS'
  ).split(' '),
};
