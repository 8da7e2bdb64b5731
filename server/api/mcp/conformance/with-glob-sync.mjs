/*
 * Preload with `node --import` to run the conformance suite on Node 20: it imports
 * `globSync`, which `fs` has only since Node 22, for a command that server tests never use.
 */
import * as fs from 'node:fs';
import { register } from 'node:module';

const WITH_GLOB_SYNC = `
import * as fs from 'node:fs';
export * from 'node:fs';
export { default } from 'node:fs';
export const globSync = fs.globSync ?? (() => []);
`;

const HOOK = `
const url = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(WITH_GLOB_SYNC)}`)};
export function resolve(specifier, context, next) {
  const isTheirs = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  return isTheirs && specifier === 'fs' ? { url, shortCircuit: true } : next(specifier, context);
}
`;

// Later versions have it, and deprecate `register`.
if (!('globSync' in fs)) register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
