/**
 * Python, by the name of its command on Debian.
 * @import { Runtime } from '../runtimes.js'
 */

/** @type {Runtime} */
export const python3 = {
  label: 'Python',
  programs: {
    python: 'call it python3, or sudo apt-get install python-is-python3',
    python3: 'sudo apt-get install python3',
    pip: 'sudo apt-get install python3-pip',
    pip3: 'sudo apt-get install python3-pip',
  },
  manifests: ['pyproject.toml'],
  variables: (
    'VIRTUAL_ENV CONDA_PREFIX PYENV_ROOT PYENV_VERSION POETRY_HOME POETRY_CACHE_DIR PYTHONHOME PYTHONPATH ' +
    'PYTHONUSERBASE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PIP_* UV_CACHE_DIR UV_INDEX_URL UV_PYTHON ' +
    'WEB_CONCURRENCY'
  ).split(' '),
};
