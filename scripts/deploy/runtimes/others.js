/** @import { Runtime } from '../runtimes.js' */

/** Runtimes that need little more than their programs and variables. @satisfies {Record<string, Runtime>} */
export const OTHERS = {
  go: {
    label: 'Go',
    programs: { go: 'sudo apt-get install golang-go' },
    versionArgument: 'version',
    manifests: ['go.mod'],
    requires: [{ file: 'go.mod', says: /^go\s+([\d.]+)/m, isLeast: true }],
    asksWhetherLocal: ['env', 'GOTOOLCHAIN'],
    roots: ['go.work'],
    variables: (
      'GOROOT GOROOT_* GOPATH GOBIN GOENV GOCACHE GOMODCACHE GOTOOLCHAIN GOFLAGS GOPROXY GOSUMDB GOPRIVATE ' +
      'GONOPROXY GONOSUMDB GOINSECURE CGO_ENABLED GOMAXPROCS'
    ).split(' '),
  },
  python3: {
    label: 'Python',
    programs: {
      python: 'call it python3, or sudo apt-get install python-is-python3',
      python3: 'sudo apt-get install python3',
      pip: 'sudo apt-get install python3-pip',
      pip3: 'sudo apt-get install python3-pip',
    },
    manifests: ['pyproject.toml'],
    // "python" is Poetry's key.
    requires: [{ file: 'pyproject.toml', says: /^(?:requires-python|python)\s*=\s*["']([^"']+)/m }],
    fetchedBy: /(^|[\s/])uv(\s|$)/,
    variables: (
      'VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT PYENV_VERSION POETRY_HOME POETRY_CACHE_DIR PYTHONHOME PYTHONPATH ' +
      'PYTHONUSERBASE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PIP_* UV_CACHE_DIR UV_INDEX_URL UV_PYTHON ' +
      'WEB_CONCURRENCY'
    ).split(' '),
  },
  ruby: {
    label: 'Ruby',
    programs: { ruby: 'sudo apt-get install ruby', bundle: 'sudo apt-get install ruby-bundler' },
    requires: [{ file: 'Gemfile', says: /^\s*ruby\s+["']([^"']+)/m }],
    variables: (
      'GEM_HOME GEM_PATH RUBYOPT RUBYLIB RBENV_ROOT RBENV_VERSION RAILS_ENV RACK_ENV BUNDLE_PATH ' +
      'BUNDLE_GEMFILE BUNDLE_APP_CONFIG BUNDLE_WITHOUT'
    ).split(' '),
  },
  bun: {
    label: 'Bun',
    cores: 1,
    programs: { bun: 'npm install --global bun' },
    requires: [{ file: 'package.json', says: /"engines"\s*:\s*\{[^}]*"bun"\s*:\s*"([^"]+)/ }],
    variables: ['BUN_INSTALL', 'BUN_INSTALL_CACHE_DIR'],
  },
  deno: {
    label: 'Deno',
    cores: 1,
    programs: { deno: 'npm install --global deno' },
    variables: ['DENO_DIR', 'DENO_INSTALL'],
  },
  cargo: {
    label: 'Rust',
    programs: { cargo: 'sudo apt-get install cargo' },
    requires: [{ file: 'Cargo.toml', says: /^rust-version\s*=\s*"([\d.]+)/m, isLeast: true }],
    variables: 'CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS RUST_BACKTRACE'.split(' '),
  },
  dotnet: {
    label: '.NET',
    programs: { dotnet: 'sudo apt-get install dotnet-sdk-10.0, or see https://dot.net' },
    variables: ['DOTNET_ROOT', 'DOTNET_CLI_HOME', 'NUGET_PACKAGES', 'ASPNETCORE_ENVIRONMENT'],
  },
};
