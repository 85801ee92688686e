/** The paths that a server may answer: where pages lie, and what sources of other languages write. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pagePaths, wordPaths } from '../../scripts/init/paths.js';

/** @type {[language: string, sources: Record<string, string>, path: string][]} */
const WRITTEN = [
  [
    'FastAPI, a prefix of settings',
    {
      'config.py': 'API_PREFIX: str = "/api/v1"',
      'utils.py': 'router = APIRouter(prefix="/utils")\n@router.get("/check/")',
    },
    '/utils/check/',
  ],
  [
    'Django',
    { 'urls.py': 'path("api/", include("shop.urls"))', 'shop/urls.py': "path('items/', list)" },
    '/api/items/',
  ],
  [
    'Flask',
    { 'app.py': 'Blueprint("items", __name__, url_prefix="/items")\n@items.route("/all")' },
    '/items/all',
  ],
  ['Rails', { 'routes.rb': 'namespace :api do\n  resources :items\nend' }, '/api/items'],
  ['Laravel', { 'routes/api.php': "Route::get('items', List::class);\nRoute::prefix('api')" }, '/api/items'],
  ['Gin', { 'main.go': 'a := b.Group("/api")\na.GET("/items", list)' }, '/api/items'],
  ["Go's own", { 'main.go': 'http.HandleFunc("GET /items", list)' }, '/items'],
  [
    'Spring, below a base',
    {
      'application.properties': 'server.servlet.context-path=/shop',
      'Items.java': '@GetMapping("/items")',
    },
    '/shop/items',
  ],
  ['Spring', { 'Items.java': '@RequestMapping("api")\nclass Items {\n@GetMapping("/items")' }, '/api/items'],
  ['axum', { 'main.rs': '.nest("/api", items::router())\n.route("/items", get(list))' }, '/api/items'],
  [
    'ASP.NET',
    { 'ItemsController.cs': '[Route("api/[controller]")]\npublic class ItemsController\n[HttpGet("all")]' },
    '/items/all',
  ],
  [
    'Elysia',
    {
      'server.ts': ".group('/api/v1', api => api.use(parts))",
      'parts.ts': "app.group('/parts', group => group.get('/', list))",
    },
    '/api/v1/parts',
  ],
];
for (const [language, sources, path] of WRITTEN)
  test(`words of the sources make the path: ${language}`, () => {
    const paths = wordPaths(new Map(Object.entries(sources)));
    assert.ok(paths.includes(path), paths.join(' '));
    assert.equal(new Set(paths).size, paths.length);
  });

test('names of files, packages and content types are no paths, and the number of paths has a limit', () => {
  const text =
    'get("text/html", "index.html", "application/json", "golang.org/x/net", "google.golang.org/grpc/http2")';
  assert.deepEqual(wordPaths(new Map([['a.go', text]])), ['/']);
  const many = Array.from({ length: 90 }, (_, place) => `get("/a${place}")`).join('\n');
  assert.equal(wordPaths(new Map([['a.go', many]])).length, 1500);
});

test('pages without parameters have the path of their place', () => {
  const own = new Map(
    [
      'src/app/(shop)/page.tsx',
      'app/items/page.jsx',
      'app/items/[id]/page.jsx',
      'app/api/items/route.ts',
      'pages/about.js',
      'pages/_app.js',
      'server/api/orders.get.ts',
      'app/routes/_index.tsx',
    ].map((file) => [file, '']),
  );
  assert.deepEqual(pagePaths(own).sort(), ['/', '/about', '/api/items', '/api/orders', '/items']);
});
