// Later imports of `typescript` get TypeScript 5: some tools need its JavaScript API, which
// TypeScript 7 (our type checker) does not have. Import this file first, for its side effect.
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
