/** Frameworks' own listings of routes become lines of a method and a path. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findServers } from '../../scripts/init/init.js';
import { readRepository } from '../../scripts/init/repository.js';
import { findProgram } from '../../scripts/system/process/find-program.js';
import { repository } from './found.js';

/** Runs the listing of the only server. @param {string} root */
function listedIn(root) {
  const [server] = findServers(readRepository(root), 'shop').servers;
  const env = { ...process.env, PATH: [root, process.env.PATH].join(delimiter) };
  const options = /** @type {const} */ ({ cwd: root, env, encoding: 'utf8' });
  return execFileSync('sh', ['-c', server?.tries.listing ?? ''], options)
    .trim()
    .split('\n');
}

test('the table of Rails', () => {
  // As in its guide, "Listing Existing Routes", with what its parts add.
  const table = `                  Prefix Verb     URI Pattern                           Controller#Action
                    root GET      /                                     home#index
                   users GET      /users(.:format)                      users#index
                         POST     /users(.:format)                      users#create
               edit_user GET      /users/:id/edit(.:format)             users#edit
                  search GET|POST /search(.:format)                     search#show
             sidekiq_web          /sidekiq                              Sidekiq::Web
rails_conductor_inbound_emails GET /rails/conductor/inbound_emails(.:format) rails/conductor#index`;
  const root = repository({ Gemfile: "gem 'rails'", 'config/routes.rb': '' });
  writeFileSync(join(root, 'bundle'), `#!/bin/sh\ncat <<'END'\n${table}\nEND\n`, { mode: 0o755 });
  assert.deepEqual(listedIn(root), [
    'GET /',
    'GET /users',
    'POST /users',
    'GET /users/:id/edit',
    'GET /search',
  ]);
});

test(
  'the JSON of Laravel',
  { skip: !findProgram('php', { env: process.env }) && 'PHP is not installed' },
  () => {
    // As its RouteListCommand prints it.
    const json = String.raw`[{"domain":null,"method":"GET|HEAD","uri":"\/","name":null,"action":"Closure","middleware":["web"]},
{"domain":null,"method":"GET|HEAD","uri":"api\/items\/{item}","name":null,"action":"App\\Http\\Controllers\\ItemController@show","middleware":["api"]},
{"domain":null,"method":"POST","uri":"api\/items","name":null,"action":"Closure","middleware":["api"]}]`;
    const root = repository({ 'composer.json': '{}', 'public/index.php': '<?php', artisan: json });
    assert.deepEqual(listedIn(root), ['GET /', 'GET /api/items/{item}', 'POST /api/items']);
  },
);
