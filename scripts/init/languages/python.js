/**
 * Python: FastAPI, Flask and Django, run by the servers that people deploy them with. A row for each framework.
 * @import { Candidate, Recognize, Sources } from '../types.js'
 */

import { posix } from 'node:path';
import { quoted } from '../../system/process/shell.js';
import { foldersAbove, idOf, isBelow, nameOf, projectsIn } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { completed, environmentOf } from '../server.js';

/**
 * @typedef {object} Framework
 * @property {string} name
 * @property {RegExp} dependency in the project's manifest
 * @property {RegExp} app the source that creates the application, its name in the first or second group: app = FastAPI(), def create_app()
 * @property {string} server the package that runs it
 * @property {RegExp} brings what in the manifest brings that package
 * @property {(app: App) => string} serve the command
 *
 * @typedef {object} App
 * @property {string} file
 * @property {string} place from the project's folder: where its module is imported from
 * @property {string} reference the module and the name in it, "app.main:app"
 * @property {boolean} isFactory
 */

const gunicorn = (/** @type {string} */ app) => `gunicorn --bind $HOST:$PORT --threads 4 ${app}`;

/** @type {Framework[]} */
const FRAMEWORKS = [
  {
    name: 'Django',
    dependency: /^\W*django\b/im,
    app: /(application)\s*=\s*get_wsgi_application\(/,
    server: 'gunicorn',
    brings: /\bgunicorn\b/i,
    serve: ({ place, reference }) => gunicorn(`${place && `--chdir ${quoted(place)} `}${reference}`),
  },
  {
    name: 'FastAPI',
    dependency: /\b(fastapi|starlette)\b/i,
    app: /^(?:def\s+)?(\w+)(?:\s*:\s*\w+)?(?:\s*=\s*(?:FastAPI|Starlette)\(|\([^)]*\)\s*->\s*FastAPI\s*:)/m,
    server: 'uvicorn',
    brings: /\buvicorn\b|\bfastapi\[(standard|all)/i,
    serve: ({ reference, isFactory }) =>
      `uvicorn ${isFactory ? '--factory ' : ''}--host $HOST --port $PORT ${reference}`,
  },
  {
    name: 'Flask',
    dependency: /\bflask\b/i,
    app: /^(\w+)\s*=\s*(?:Flask\(|create_app\()|^def\s+(create_app|make_app)\(/m,
    server: 'gunicorn',
    brings: /\bgunicorn\b/i,
    serve: ({ reference, isFactory }) => gunicorn(isFactory ? `'${reference}()'` : reference),
  },
];
const MANIFEST = /^(requirements[\w-]*\.txt|pyproject\.toml|Pipfile)$/;
const VENV = '.venv/bin/';
/** Of a workspace, too, whose members lie below it. */
const UV = 'uv.lock';
const PIP = 'python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check';

/** How each tool installs, and what runs a program of its environment. @type {{ file: string, install: string, run: string }[]} */
const TOOLS = [
  { file: UV, install: 'uv sync --frozen', run: 'uv run ' },
  { file: 'poetry.lock', install: 'poetry install --no-root', run: 'poetry run ' },
  { file: 'Pipfile.lock', install: 'pipenv install --deploy', run: 'pipenv run ' },
  { file: 'requirements.txt', install: `${PIP} -r requirements.txt`, run: VENV },
  { file: 'requirements-prod.txt', install: `${PIP} -r requirements-prod.txt`, run: VENV },
  { file: 'pyproject.toml', install: `${PIP} .`, run: VENV },
  { file: 'Pipfile', install: 'pipenv install', run: 'pipenv run ' },
];

/** @type {Recognize} */
export function findPython(sources, name) {
  return projectsIn(sources, MANIFEST).flatMap((project) => {
    const { own, folder, manifest } = project;
    const [server] = FRAMEWORKS.filter(({ dependency }) => dependency.test(manifest)).flatMap((framework) => {
      const app = appOf(framework, own, folder);
      return app ? [{ framework, app }] : [];
    });
    const tool = TOOLS.find(
      ({ file }) => sources.has(posix.join(folder, file)) || (file === UV && isBelow(UV, project)),
    );
    return server && tool ? describe(project, { ...server, tool, name }) : [];
  });
}

/**
 * @param {ReturnType<typeof projectsIn>[number]} project
 * @param {{ framework: Framework, app: App, tool: typeof TOOLS[number], name: string }} server
 * @returns {Candidate}
 */
function describe(project, { framework, app, tool, name }) {
  const { own, folder, manifest } = project;
  const manager = posix.join(app.place, 'manage.py');
  const isDjango = framework.name === 'Django' && own.has(posix.join(folder, manager));
  const isAlembic = [...own.keys()].some((file) => file.endsWith('alembic/env.py'));
  const isLacking = tool.run !== VENV && !framework.brings.test(manifest);
  return completed(
    {
      id: idOf(nameOf(folder) || name),
      evidence: `${framework.name} in ${app.file}`,
      folder,
      runtime: 'python3',
      install: tool.run === VENV ? `${tool.install} ${framework.server}` : tool.install,
      commands: [
        ...(isDjango ? [`${tool.run}python ${quoted(manager)} migrate --verbosity 0`] : []),
        ...(isAlembic ? [`${tool.run}alembic upgrade head`] : []),
        `${tool.run}${framework.serve(app)}`,
      ],
      route: findRoute(own),
      // Packages beside its folder are a part of it.
      ...((isBelow(UV, project) || manifest.includes('../')) && { paths: [] }),
      toDos: isLacking ? [`${framework.server} must be a dependency: the start command needs it`] : [],
    },
    environmentOf(project),
  );
}

/** @param {Framework} framework @param {Sources} own @param {string} folder @returns {App | undefined} */
function appOf({ name, app }, own, folder) {
  const candidates = [...own].flatMap(([file, text]) => {
    const match = file.endsWith('.py') ? app.exec(text) : null;
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
