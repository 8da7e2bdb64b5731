// Runs dependency-cruiser, which reads TypeScript with TypeScript 5's API.
import './typescript-5.mjs';

process.argv.splice(
  2,
  process.argv.length,
  ...[
    'app',
    'clients',
    'components',
    'fakes',
    'server',
    'db',
    'test',
    'instrumentation.ts',
    '--config',
    '.dependency-cruiser.cjs',
  ],
);
const cli = new URL('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url);
await import(cli.href);
