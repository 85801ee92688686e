/**
 * Python: FastAPI, Flask and Django, served by what serves them in production. A row for each framework.
 * @import { Found, Recognize, Sources } from '../types.js'
 */

import { findDatabases } from '../databases.js';
import { folderOf, idOf, inside, nameOf, sourcesIn, textOf } from '../folders.js';
import { findRoute } from '../routes/routes.js';
import { findSettings } from '../settings.js';

/**
 * app: how a source makes it, its name in the first group; serve: the command, after the program's folder; packages: what
 * it takes beside the project's own.
 * @typedef {{ name: string, says: RegExp, app: RegExp, packages: string[], serve: (app: string, isFactory: boolean) => string }} Framework
 */

const GUNICORN = (/** @type {string} */ app) => `gunicorn --bind $HOST:$PORT --threads 4 ${app}`;

/** @type {Framework[]} */
const FRAMEWORKS = [
  {
    name: 'Django',
    says: /^\W*django\b/im,
    app: /(application)\s*=\s*get_wsgi_application\(/,
    packages: ['gunicorn'],
    serve: GUNICORN,
  },
  {
    name: 'FastAPI',
    says: /\b(fastapi|starlette)\b/i,
    app: /^(?:def\s+)?(\w+)(?:\s*:\s*\w+)?(?:\s*=\s*(?:FastAPI|Starlette)\(|\([^)]*\)\s*->\s*FastAPI\s*:)/m,
    packages: ['uvicorn'],
    serve: (app, isFactory) => `uvicorn ${isFactory ? '--factory ' : ''}--host $HOST --port $PORT ${app}`,
  },
  {
    name: 'Flask',
    says: /\bflask\b/i,
    app: /^(\w+)\s*=\s*(?:Flask\(|create_app\()|^def\s+(create_app|make_app)\(/m,
    packages: ['gunicorn'],
    serve: (app, isFactory) => GUNICORN(isFactory ? `'${app}()'` : app),
  },
];
const MANIFEST = /^(requirements[\w-]*\.txt|pyproject\.toml|Pipfile)$/;
const VENV = 'python3 -m venv .venv && .venv/bin/pip install --quiet --disable-pip-version-check';

/** How each tool installs, and what it puts before a program. @type {{ file: string, install: (packages: string) => string, run: string }[]} */
const INSTALLS = [
  { file: 'uv.lock', install: () => 'uv sync --frozen', run: 'uv run ' },
  { file: 'poetry.lock', install: () => 'poetry install --no-root', run: 'poetry run ' },
  { file: 'Pipfile.lock', install: () => 'pipenv install --deploy', run: 'pipenv run ' },
  {
    file: 'requirements.txt',
    install: (packages) => `${VENV} -r requirements.txt ${packages}`,
    run: '.venv/bin/',
  },
  {
    file: 'requirements-prod.txt',
    install: (packages) => `${VENV} -r requirements-prod.txt ${packages}`,
    run: '.venv/bin/',
  },
  { file: 'pyproject.toml', install: (packages) => `${VENV} . ${packages}`, run: '.venv/bin/' },
  { file: 'Pipfile', install: () => 'pipenv install', run: 'pipenv run ' },
];

/** @type {Recognize} */
export function findPython(sources, name) {
  const folders = new Set([...sources.keys()].filter((file) => MANIFEST.test(nameOf(file))).map(folderOf));
  return [...folders].flatMap((folder) => readProject(sources, folder, name));
}

/**
 * @param {Sources} sources
 * @param {string} folder
 * @param {string} name the repository's
 * @returns {Found[]} none where it is no server
 */
function readProject(sources, folder, name) {
  const own = sourcesIn(sources, folder, MANIFEST);
  const manifest = textOf(new Map([...own].filter(([file]) => MANIFEST.test(nameOf(file)))));
  const found = FRAMEWORKS.filter(({ says }) => says.test(manifest))
    .map((framework) => ({ framework, app: appOf(framework, own, folder) }))
    .find(({ app }) => app !== undefined);
  const tool = INSTALLS.find(({ file }) => sources.has(inside(folder, file)));
  if (!found?.app || !tool) return [];
  const { framework, app } = found;
  const lacking = framework.packages.filter((each) => !new RegExp(`\\b${each}\\b`, 'i').test(manifest));
  const databases = findDatabases({ sources, own, folder, manifest });
  const { env, copy } = findSettings(own, folder);
  const locked = tool.run !== '.venv/bin/' && lacking.length > 0;
  const serve = [databases.assignments, `${tool.run}${framework.serve(app.at, app.isFactory)}`]
    .filter(Boolean)
    .join(' ');
  const migrate = framework.name === 'Django' && [...own.keys()].some((file) => nameOf(file) === 'manage.py');
  return [
    {
      id: idOf(folder.split('/').at(-1) || name),
      seen: `${framework.name} in ${app.file}`,
      folder,
      runtime: 'python3',
      install: tool.install(framework.packages.join(' ')),
      start: migrate
        ? `${[databases.assignments, `${tool.run}python manage.py migrate --verbosity 0`].filter(Boolean).join(' ')} && ${serve}`
        : serve,
      ...(Object.keys(env).length > 0 && { env }),
      ...(copy.length > 0 && { copy }),
      needs: databases.needs,
      route: findRoute(own),
      paths: folder ? [`${folder}/**`] : [],
      doubts: [
        ...(locked ? [`${lacking.join(' and ')} must be a dependency: the start command needs it`] : []),
        ...databases.doubts,
      ],
    },
  ];
}

/**
 * @param {Framework} framework
 * @param {Sources} own
 * @param {string} folder
 * @returns {{ file: string, at: string, isFactory: boolean } | undefined} at: the module and the name in it
 */
function appOf({ app }, own, folder) {
  const candidates = [...own].flatMap(([file, text]) => {
    const match = file.endsWith('.py') ? app.exec(text) : null;
    if (!match) return [];
    const module = file
      .slice(folder ? folder.length + 1 : 0)
      .replace(/(\/__init__)?\.py$/, '')
      .replaceAll('/', '.');
    const isFactory = match[0].startsWith('def ');
    return [{ file, at: `${module}:${match[1] ?? match[2]}`, isFactory }];
  });
  return candidates.find(({ isFactory }) => !isFactory) ?? candidates[0];
}
