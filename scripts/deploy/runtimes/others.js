/**
 * Runtimes that need only their programs and variables.
 * @import { Runtime } from '../runtimes.js'
 */

/** @type {Runtime} */
export const bun = {
  label: 'Bun',
  cores: 1,
  programs: { bun: 'npm install --global bun' },
  variables: ['BUN_INSTALL', 'BUN_INSTALL_CACHE_DIR'],
};

/** @type {Runtime} */
export const cargo = {
  label: 'Rust',
  programs: { cargo: 'sudo apt-get install cargo' },
  variables: ['CARGO_HOME', 'CARGO_TARGET_DIR', 'RUSTUP_HOME', 'RUSTUP_TOOLCHAIN', 'RUSTFLAGS'],
};

/** @type {Runtime} */
export const deno = {
  label: 'Deno',
  cores: 1,
  programs: { deno: 'npm install --global deno' },
  variables: ['DENO_DIR', 'DENO_INSTALL'],
};

/** @type {Runtime} */
export const dotnet = {
  label: '.NET',
  variables: ['DOTNET_ROOT', 'DOTNET_CLI_HOME', 'NUGET_PACKAGES', 'ASPNETCORE_ENVIRONMENT'],
};

/** @type {Runtime} */
export const ruby = {
  label: 'Ruby',
  programs: { ruby: 'sudo apt-get install ruby', bundle: 'sudo apt-get install ruby-bundler' },
  variables: (
    'GEM_HOME GEM_PATH RUBYOPT RUBYLIB RBENV_ROOT RBENV_VERSION RAILS_ENV RACK_ENV BUNDLE_PATH ' +
    'BUNDLE_GEMFILE BUNDLE_APP_CONFIG BUNDLE_WITHOUT'
  ).split(' '),
};
