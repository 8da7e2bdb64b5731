/** Who may lean on whom (docs/decisions/0001). Imports go down only; each rule says why. */
const slices =
  'accounts|assets|billing|calls|catalog|credentials|guides|idempotency|imports|jobs|keys|limits|live|mails|oauth|operator|payments|playground|reloads|retention|reviews|teams|topups|usage|versions';

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'What imports itself cannot be understood or tested alone. Types may: they vanish.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'db-knows-nothing',
      comment: 'Tables and migrations are the ground: nothing of the server may be below them.',
      severity: 'error',
      from: { path: '^db/' },
      to: { path: '^(server|app|components)/' },
    },
    {
      name: 'ui-knows-no-domain',
      comment: 'components/ui is a kit that could leave this house.',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^(server|app|db|components/(?!ui/))' },
    },
    {
      name: 'components-only-see-shapes',
      comment:
        'What runs in the browser may know wire shapes, the type of the router and what can be a slug (pure, without zod), nothing that runs on the server.',
      severity: 'error',
      from: { path: '^components/' },
      to: {
        path: '^(server|db|app)/',
        pathNot: `^server/(${slices})/schema\\.ts$|^server/core/errors/schema\\.ts$|^server/api/root\\.ts$|^server/identity/teams/slug\\.ts$`,
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
      name: 'slices-know-no-transport',
      comment: 'An act is the same by REST, tRPC or MCP. Only types of the request context are shared.',
      severity: 'error',
      from: { path: `^server/(${slices})/`, pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^server/(http|root|openapi|trpc/(caller|handler))', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'stores-are-private',
      comment: "A slice calls another's acts, never its SQL: whoever changes a table looks in one folder.",
      severity: 'error',
      from: { path: `^server/(${slices})/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: `^server/(${slices})/(store|[a-z]+-store)\\.ts$`,
        pathNot: '^server/$1/|^server/core/limits/store\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'tools-are-strangers',
      comment:
        'A tool sees its input, a fetch and a log; never the account, the database or the transport. Its tests may.',
      severity: 'error',
      from: { path: '^server/tools/[^/]+/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(server|db|app|components)/',
        pathNot: '^server/tools/|^server/(billing/money|guarded|error-listener)\\.ts$',
      },
    },
    {
      name: 'only-one-runs-tools',
      comment: 'Holds and limits stand in front of attemptCall; a second door would have none.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: '^server/calls/(call-run|settle-call)\\.ts$|\\.test\\.ts$|/testing/',
      },
      to: { path: '^server/calls/attempt-call\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'sdks-in-ports',
      comment: 'The outside world has one seam a file; next-auth brings its own mail and adapter.',
      severity: 'error',
      from: { path: '^(server|app|components)/', pathNot: '^server/platform/ports/|/testing/|\\.test\\.ts$' },
      to: {
        path: 'node_modules/(nodemailer|undici|stripe|mppx|viem|@vercel/blob|graphile-worker|playwright-core|@modelcontextprotocol/client)/',
      },
    },
    {
      name: 'clients-are-strangers',
      comment: 'A client knows what any other client could: the document, not our code. Its tests may.',
      severity: 'error',
      from: { path: '^clients/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(server|db|app|components|scripts|test)/' },
    },
    {
      name: 'no-tests-in-product',
      comment: 'Harness and factories never ship.',
      severity: 'error',
      from: { path: '^(app|components|server|db)/', pathNot: '\\.test\\.tsx?$|/testing/' },
      to: { path: '/testing/|^test/' },
    },
    {
      name: 'not-to-dev-dep',
      comment: 'npm ci --omit=dev must still run.',
      severity: 'error',
      from: { path: '^(app|components|server|db)/', pathNot: '\\.test\\.(tsx?|mjs)$|/testing/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that leads nowhere is a typing error that only shows when it runs.',
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
