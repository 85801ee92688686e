/** What builds and servers find in the checkouts that are measured. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '../scratch.js';
import { checkOut } from '../../scripts/deploy/source/worktrees.js';
import { gitIn, runCli, runTool } from './tools.js';

const SCRATCH = scratchFolder();

const POM = `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>a</groupId>
  <artifactId>a</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build>
    <plugins>
      <plugin>
        <groupId>io.github.git-commit-id</groupId>
        <artifactId>git-commit-id-maven-plugin</artifactId>
        <version>9.0.1</version>
        <executions><execution><goals><goal>revision</goal></goals><phase>initialize</phase></execution></executions>
        <configuration>
          <skipPoms>false</skipPoms>
          <generateGitPropertiesFile>true</generateGitPropertiesFile>
          <generateGitPropertiesFilename>git.properties</generateGitPropertiesFilename>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;

test('JGit reads the commit in a checkout, as the Maven plugin of Spring Boot projects does', async () => {
  const top = join(SCRATCH, 'jgit');
  mkdirSync(top);
  writeFileSync(join(top, 'pom.xml'), POM);
  const git = gitIn(top);
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'first');
  const env = { ...process.env, XDG_CACHE_HOME: join(SCRATCH, 'cache') };
  const tree = join(await checkOut({ top, commit: 'HEAD', env }), 'tree');
  const { code, output } = await runTool(['mvn', '--batch-mode', '--quiet', 'initialize'], {
    cwd: tree,
    env,
  });
  assert.equal(code, 0, output);
  const properties = readFileSync(join(tree, 'git.properties'), 'utf8');
  assert.match(properties, new RegExp(`^git\\.commit\\.id=${await git('rev-parse', 'HEAD')}$`, 'm'));
  assert.match(properties, /^git\.dirty=false$/m);
});

const SERVER = `
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const starts = [...JSON.parse(readFileSync('db.json', 'utf8')), 'a start'];
writeFileSync('db.json', JSON.stringify(starts));
createServer((request, response) => response.end(String(starts.length))).listen(process.env.PORT, process.env.HOST);
`;
const PERF_YML = `reference: off
servers: [{ id: api, start: node server.js, routes: [{ path: /, expect: { body: '1' } }] }]
`;

test('a server that writes to a file of the repository finds it in each start as it was committed', async () => {
  const top = join(SCRATCH, 'grows');
  mkdirSync(top);
  const files = {
    'server.js': SERVER,
    'db.json': '[]',
    'package.json': '{"type":"module"}',
    'perf.yml': PERF_YML,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, name), text);
  const git = gitIn(top);
  await git('init', '--quiet');
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'first');
  writeFileSync(join(top, 'server.js'), `${SERVER}// A comment.\n`);
  const env = { ...process.env, XDG_CACHE_HOME: join(SCRATCH, 'cache') };
  const asked = '--against HEAD --rounds 2 --rate 50 --duration 1s --warmup 0'.split(' ');
  const { code, stderr } = await runCli(['run', ...asked], { cwd: top, env });
  assert.equal(code, 0, stderr);
});
