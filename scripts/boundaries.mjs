// Runs dependency-cruiser with the JavaScript API of TypeScript 5: TypeScript 7, which checks the types, has none.
import Module, { register } from 'node:module';

const ALIAS = 'typescript-5';

/** @type {{ _resolveFilename: (request: string, ...rest: unknown[]) => string }} */
const commonjs = /** @type {never} */ (Module);
const resolveFilename = commonjs._resolveFilename;
commonjs._resolveFilename = (request, ...rest) =>
  resolveFilename.call(commonjs, request.replace(/^typescript(?=\/|$)/, ALIAS), ...rest);

const hook = `export function resolve(specifier, context, next) {
  return next(specifier === 'typescript' ? '${ALIAS}' : specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

process.argv.splice(
  2,
  process.argv.length,
  ...['app', 'components', 'server', 'db', 'instrumentation.ts', '--config', '.dependency-cruiser.cjs'],
);
const cli = new URL('../node_modules/dependency-cruiser/bin/dependency-cruise.mjs', import.meta.url);
await import(cli.href);
