/**
 * Python: FastAPI, Flask and Django, run by the servers that people deploy them with.
 * @import { PythonFramework, Recognize, Sources } from '../candidates.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { foldersAbove, isBelow, nameOf, projectsIn } from '../source-tree.js';
import { PYTHON } from '../frameworks.js';
import { completed } from '../server.js';

/**
 * @typedef {object} App
 * @property {string} file
 * @property {string} place from the project's folder: where its module is imported from
 * @property {string} reference the module and the name in it, "app.main:app"
 * @property {boolean} isFactory
 */

const MANIFEST = /^(requirements[\w-]*\.txt|pyproject\.toml|Pipfile)$/;
const VENV = '.venv/bin/';
/** Of a workspace, too, whose members lie below it. */
const UV = 'uv.lock';
const PIP = 'python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check';

/** How tools install, and run their programs. @type {{ file: string, install: string, run: string }[]} */
const TOOLS = [
  { file: UV, install: 'uv sync --frozen', run: 'uv run ' },
  { file: 'poetry.lock', install: 'poetry install --no-root', run: 'poetry run ' },
  { file: 'Pipfile.lock', install: 'pipenv install --deploy', run: 'pipenv run ' },
  { file: 'requirements.txt', install: `${PIP} -r requirements.txt`, run: VENV },
  { file: 'requirements-prod.txt', install: `${PIP} -r requirements-prod.txt`, run: VENV },
  { file: 'pyproject.toml', install: `${PIP} .`, run: VENV },
  { file: 'Pipfile', install: 'pipenv install', run: 'pipenv run ' },
];

/** In the words of Django's own admindocs, which simplifies patterns. */
const ROUTES =
  'from django.contrib.admindocs.views import extract_views_from_urlpatterns as views, simplify_regex as plain; ' +
  'from django.urls import get_resolver; ' +
  'print(*("GET " + plain(each[1]) for each in views(get_resolver().url_patterns)), sep="\\n")';

/** @type {Recognize} */
export function findPython(sources, name) {
  return projectsIn(sources, MANIFEST).flatMap((project) => {
    const { own, folder, manifest } = project;
    const [server] = PYTHON.filter(({ needs }) => needs.test(manifest)).flatMap((framework) => {
      const app = appOf(framework, own, folder);
      return app ? [{ framework, app }] : [];
    });
    const tool = TOOLS.find(
      ({ file }) => sources.has(posix.join(folder, file)) || (file === UV && isBelow(UV, project)),
    );
    if (!server || !tool) return [];
    const { framework, app } = server;
    const manager = posix.join(app.place, 'manage.py');
    const isDjango = framework.name === 'Django' && own.has(posix.join(folder, manager));
    const manage = `${tool.run}python ${quoted(manager)}`;
    const isAlembic = [...own.keys()].some((file) => file.endsWith('alembic/env.py'));
    return completed(project, {
      id: nameOf(folder) || name,
      evidence: `${framework.name} in ${app.file}`,
      folder,
      runtime: 'python3',
      install: tool.run === VENV ? `${tool.install} ${framework.server}` : tool.install,
      migrations: [
        ...(isDjango ? [`${manage} migrate --verbosity 0`] : []),
        ...(isAlembic ? [`${tool.run}alembic upgrade head`] : []),
      ],
      commands: [`${tool.run}${framework.serve(app)}`],
      ...(isDjango && { listing: `${manage} shell -c ${quoted(ROUTES)}` }),
      // Packages beside its folder are a part of it.
      ...((isBelow(UV, project) || manifest.includes('../')) && { paths: [] }),
    });
  });
}

/** @type {(framework: PythonFramework, own: Sources, folder: string) => App | undefined} */
function appOf({ name, code }, own, folder) {
  const candidates = [...own].flatMap(([file, text]) => {
    const match = file.endsWith('.py') ? code?.exec(text) : null;
    if (!match) return [];
    const managed = foldersAbove(file).find((above) => own.has(posix.join(above, 'manage.py')));
    const top = name === 'Django' ? (managed ?? folder) : folder;
    const module = posix
      .relative(top, file)
      .replace(/(\/__init__)?\.py$/, '')
      .replaceAll('/', '.');
    const reference = `${module}:${match[1] ?? match[2]}`;
    return [{ file, place: posix.relative(folder, top), reference, isFactory: match[0].startsWith('def ') }];
  });
  return candidates.find(({ isFactory }) => !isFactory) ?? candidates[0];
}
