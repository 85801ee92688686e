/** Missing programs are reported before anything starts, with the command that installs them. */

import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { whyNotBuilt } from '../../scripts/deploy/process/programs.js';
import { toy } from './toys/toys.js';
import { scratchFolder } from '../scratch.js';

const scratch = scratchFolder();

/**
 * @param {string} folder
 * @param {string[]} names
 */
function programs(folder, ...names) {
  mkdirSync(join(scratch, folder), { recursive: true });
  for (const name of names) {
    writeFileSync(join(scratch, folder, name), '#!/bin/sh\n');
    chmodSync(join(scratch, folder, name), 0o755);
  }
  return join(scratch, folder);
}

const maven = { runtime: 'java', build: 'mvn --quiet package', start: ['java', '-jar', 'x.jar'] };
const none = programs('none');
const builder = programs('builder', 'mvn', 'java');
const home = programs('home/bin', 'javac').slice(0, -'/bin'.length);

test('the program of the first command must be installed, and the compiler of a builder', () => {
  const wrapper = { ...maven, build: 'sh ./gradlew --quiet installDist' };
  const composer = { install: 'composer install --no-dev', start: 'php start.php start' };
  const [mvn, javac] = [
    'mvn is not installed: sudo apt-get install maven',
    'javac is not installed: sudo apt-get install default-jdk-headless',
  ];
  const php = 'php is not installed: sudo apt-get install php-cli';
  for (const [changes, env, why] of /** @type {const} */ ([
    [maven, { PATH: none }, `${mvn}; ${javac}`],
    [maven, { PATH: builder }, javac],
    [wrapper, { PATH: builder }, javac],
    [maven, { PATH: builder, JAVA_HOME: home }, undefined],
    [{ start: 'php -S $HOST:$PORT' }, { PATH: none }, php],
    [composer, { PATH: none }, `composer is not installed: sudo apt-get install composer; ${php}`],
  ]))
    assert.equal(whyNotBuilt(toy('shop', changes), env), why);
});

test('later commands, shell words and unknown programs are not checked', () => {
  for (const changes of [
    { install: 'corepack enable', build: 'pnpm build' },
    { start: 'cd sub && go run .' },
    { start: './bin/server' },
    { start: ['my-own-server'] },
  ])
    assert.equal(whyNotBuilt(toy('x', changes), { PATH: none }), undefined);
});
