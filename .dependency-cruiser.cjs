/** Which part may import which (docs/architecture.md): a layer imports only from layers below. */
const LAYERS = [
  'main',
  'api',
  'operations',
  'docs',
  'lifecycle',
  'usage',
  'calls',
  'assets',
  'catalog',
  'identity',
  'notifications',
  'money',
  'tools',
  'platform',
  'core',
  'kit',
];

const TEST = '\\.test\\.tsx?$|/testing/|^test/';

const layerRules = LAYERS.slice(1).map((layer, index) => ({
  name: `${layer}-imports-no-layer-above`,
  comment: `server/${layer} stands below ${LAYERS.slice(0, index + 1).join(', ')}.`,
  severity: 'error',
  from: { path: `^server/${layer}/`, pathNot: TEST },
  to: { path: `^server/(${LAYERS.slice(0, index + 1).join('|')})/` },
}));

/** Which JSON numbers parsing would change: the browser refuses them before it sends others. */
const EXACT_NUMBER = '^server/kit/exact-number\\.mjs$';
/** Feature folders of components: each is one part of the dashboard or of the public pages. */
const FEATURES =
  'account|assets|billing|claim|credentials|docs|jobs|join|keys|oauth|operator|playground|reviews|site|teams|usage';

module.exports = {
  forbidden: [
    ...layerRules,
    {
      name: 'no-circular',
      comment:
        'A module in an import cycle cannot be understood or tested alone. Types are erased, so they may.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'every-server-file-has-a-layer',
      comment: 'A file at the root of server/, or in another folder, has no place in the order of layers.',
      severity: 'error',
      from: { path: '^server/', pathNot: `^server/(${LAYERS.join('|')})/` },
      to: {},
    },
    {
      name: 'db-knows-nothing',
      comment: 'Tables and migrations stand below the server.',
      severity: 'error',
      from: { path: '^db/', pathNot: TEST },
      to: { path: '^(server|app|components)/' },
    },
    {
      name: 'ui-knows-no-domain',
      comment: 'components/ui could be used by another project.',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^(server|app|db|components/(?!ui/))', pathNot: EXACT_NUMBER },
    },
    {
      name: 'shared-imports-no-feature',
      comment: 'components/shared is used by the feature folders, so it stands below them.',
      severity: 'error',
      from: { path: '^components/(shared|live|results)/', pathNot: TEST },
      to: { path: `^components/(${FEATURES}|overview|shell|palette)/` },
    },
    {
      name: 'features-do-not-import-each-other',
      comment: 'A page in app/ composes features. Usage is the exception: keys show their usage.',
      severity: 'error',
      from: { path: `^components/(${FEATURES})/`, pathNot: TEST },
      to: {
        path: `^components/(${FEATURES}|overview|shell|palette)/`,
        pathNot: '^components/($1|usage)/',
      },
    },
    {
      name: 'shell-imports-no-feature',
      comment: 'The frame of the dashboard is the same for each page.',
      severity: 'error',
      from: { path: '^components/shell/', pathNot: TEST },
      to: { path: `^components/(${FEATURES}|overview)/` },
    },
    {
      name: 'components-only-see-shapes',
      comment:
        'Code for the browser may import wire shapes, limits and the type of the router, no other code.',
      severity: 'error',
      from: { path: '^components/' },
      to: {
        path: '^(server|db|app)/',
        pathNot: `^server/.*/(schema|limits)\\.ts$|^server/usage/(attention|refusals)-schema\\.ts$|^server/api/root\\.ts$|^server/identity/teams/slug\\.ts$|${EXACT_NUMBER}`,
      },
    },
    {
      name: 'server-knows-no-pages',
      comment: 'The server answers agents too: it must not depend on how pages look.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^(app|components)/' },
    },
    {
      name: 'stores-are-private',
      comment: "A room calls another room's functions, never its SQL.",
      severity: 'error',
      from: {
        path: '^server/([^/]+/[^/]+)/',
        // A restore writes all tables, the sweep deletes rows, reconciliation reads them. The rooms
        // of calls/ are steps of one transaction.
        pathNot: `${TEST}|^server/(calls|operations/(backup|retention|operator|vault)|money/reconcile)/`,
      },
      to: {
        path: '^server/.*/(store|[a-z]+-store)\\.ts$',
        pathNot: '^server/$1/|^server/core/limits/store\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tools-see-the-sdk-only',
      comment: 'A tool gets its input, a fetch and a log; never the account, the database or the transport.',
      severity: 'error',
      from: { path: '^server/tools/(?!sdk/)[^/]+/', pathNot: TEST },
      to: { path: '^(server|db|app|components)/', pathNot: '^server/(tools|kit)/' },
    },
    {
      name: 'one-caller-of-attempt-call',
      comment: 'Holds and limits are checked for a CallAttempt; another caller would skip them.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/calls/execution/call-attempt\\.ts$|${TEST}`,
      },
      to: { path: '^server/calls/execution/attempt-call\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'two-makers-of-attempts',
      comment: 'Both check holds and limits, before or after the attempt; another one would skip them.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: `^server/calls/(execution/call-run|run-first/run-first)\\.ts$|${TEST}`,
      },
      to: { path: '^server/calls/execution/call-attempt\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdks-in-ports',
      comment:
        'Each external service has one file in platform/ports; next-auth brings its own mail and adapter.',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: `^server/platform/ports/|${TEST}` },
      to: {
        path: 'node_modules/(nodemailer|undici|stripe|mppx|viem|@x402/core|@vercel/blob|playwright-core|@modelcontextprotocol/client)/',
      },
    },
    {
      name: 'clients-use-the-document-only',
      comment: 'Our clients know what any other client could: the OpenAPI document, not our code.',
      severity: 'error',
      from: { path: '^clients/', pathNot: TEST },
      to: { path: '^(server|db|app|components|scripts|test)/' },
    },
    {
      name: 'fakes-import-nothing-of-ours',
      comment: 'Another project can use them. Only their tests use our test database.',
      severity: 'error',
      from: { path: '^fakes/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(server|app|db|components|clients|scripts|test)/' },
    },
    {
      name: 'tests-of-fakes-use-the-test-database',
      comment: 'A test of a fake needs a PostgreSQL, nothing else of the gateway.',
      severity: 'error',
      from: { path: '^fakes/.*\\.test\\.ts$' },
      to: {
        path: '^(server|app|db|components|clients|scripts|test)/',
        pathNot: '^test/support/database\\.ts$',
      },
    },
    {
      name: 'fakes-in-choose-ports',
      comment: 'The gateway knows its ports; one file chooses between a real service and its fake.',
      severity: 'error',
      from: {
        path: '^(server|app|db|components|clients)/',
        pathNot: `^server/platform/ports/choose-ports\\.ts$|${TEST}`,
      },
      to: { path: '^fakes/' },
    },
    {
      name: 'no-tests-in-product',
      comment: 'Harness and factories are not part of the product.',
      severity: 'error',
      from: { path: '^(app|components|server|db|fakes)/', pathNot: TEST },
      to: { path: '/testing/|^test/' },
    },
    {
      name: 'not-to-dev-dep',
      comment:
        'The gateway must run after npm ci --omit=dev. The build bundles what app and components import.',
      severity: 'error',
      from: {
        path: '^(server|db|fakes)/',
        pathNot: '\\.test\\.(tsx?|mjs)$|/testing/',
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'The import names no file.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(server-only)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
