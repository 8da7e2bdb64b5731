// A spec of Vega names fields by paths that walk prototypes: `constructor.constructor` is the
// compiler of code.
import { Refusal } from '../../kit/worker-refusal.mjs';

/** Names that lead from a value to code, alone or as a step of a path. */
const HIDDEN =
  /(?:^|[^\w$])(?:__proto__|prototype|constructor|__define[GS]etter__|__lookup[GS]etter__)(?:$|[^\w$])/;
/** Where a string or a list holds words or data, unless it is an object with an expression. */
const WORDS = new Set(['title', 'subtitle', 'description', 'text', 'name', 'values']);
const EXPRESSIONS = new Set(['signal', 'expr', 'update', 'test', 'init']);
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * Refuses names of prototypes and of code in a spec. Its data, titles and descriptions may use all
 * words.
 * @param {unknown} spec
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
    `spec: ${path} names what a chart may not use, such as constructor or __proto__. Rename it.`,
  );
}

/**
 * Takes the compilers of code away from all functions of this process, which must not be used for
 * anything else.
 */
export function removeCompilers() {
  const kinds = [() => undefined, async () => undefined, function* () {}, async function* () {}];
  for (const kind of kinds)
    Object.defineProperty(Object.getPrototypeOf(kind), 'constructor', { value: undefined });
}
