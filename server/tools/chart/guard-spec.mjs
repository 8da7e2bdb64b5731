// Vega specs reference fields by paths that follow prototypes, so `constructor.constructor` would
// reach the Function constructor and compile code.
import { Refusal } from '../../kit/worker-refusal.mjs';

/** Property names that lead to code, alone or as a step of a path. */
const HIDDEN =
  /(?:^|[^\w$])(?:__proto__|prototype|constructor|__define[GS]etter__|__lookup[GS]etter__)(?:$|[^\w$])/;
/** Keys with text or data, unless their value is an object, which may hold expressions. */
const WORDS = new Set(['title', 'subtitle', 'description', 'text', 'name', 'values']);
const EXPRESSIONS = new Set(['signal', 'expr', 'update', 'test', 'init']);
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Rejects property names of prototypes and code anywhere in a spec, except in its data, titles and
 * descriptions.
 * @param {unknown} spec
 * @throws {Refusal}
 */
export function guardSpec(spec) {
  /** @type {{ value: unknown, path: string, words: boolean }[]} */
  const open = [{ value: spec, path: 'spec', words: false }];
  for (let at = open.pop(); at; at = open.pop()) {
    const { value, path, words } = at;
    if (typeof value === 'string' && !words && HIDDEN.test(value)) throw refusal(path);
    if (typeof value !== 'object' || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, child] of Object.entries(value)) {
      if (!isList && (words ? key === '__proto__' : INHERITED.has(key))) throw refusal(`${path}.${key}`);
      open.push({ value: child, path: `${path}.${key}`, words: holdsWords(key, child, words) });
    }
  }
}

/** @param {string} key @param {unknown} child @param {boolean} inWords */
function holdsWords(key, child, inWords) {
  if (EXPRESSIONS.has(key)) return false;
  if (inWords) return true;
  return WORDS.has(key) && (typeof child !== 'object' || Array.isArray(child));
}

/** @param {string} path */
function refusal(path) {
  return new Refusal(
    `spec: ${path} uses a name that is not allowed in a chart, such as constructor or __proto__. Rename it.`,
  );
}

/**
 * Removes access to the Function constructors from every function of this process, which must run
 * nothing else afterwards.
 */
export function removeCompilers() {
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const kind of kinds)
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined });
}
