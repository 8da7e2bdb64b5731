// Whatever is imported after this gets TypeScript 5 for `typescript`: some tools need its JavaScript API, and TypeScript 7,
// which checks the types, has none. Import it first, for what it does.
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
