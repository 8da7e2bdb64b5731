// Two checks of `npm run lint` that read the syntax of a file; together they parse each file once.
// Usage: source-rules.mjs RULE …
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findLongFunctions } from './lengths/find-long-functions.mjs';
import { findPlaces } from './uncaught/find-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 80;

/**
 * @typedef {object} Rule
 * @property {RegExp} reads the files that it checks
 * @property {RegExp} except
 * @property {(file: string, text: string) => { line: number, problem: string }[]} find
 */

const UNCAUGHT = {
  json: 'JSON.parse outside a try: use parseJson (server/kit/parse-json.ts) inside one.',
  listener:
    "No 'error' listener from the start: use withErrorListener (server/kit/error-listener.ts) or pipeline.",
  callback: 'This callback may throw outside a try: use guarded (server/kit/guarded.ts).',
  reason: 'This `Cannot throw` comment is no longer needed.',
};

/** @type {Record<string, Rule>} */
const RULES = {
  // Biome's rule is no substitute: it skips signatures, JSX and template strings.
  lengths: {
    reads: /\.(tsx?|[cm]?js)$/,
    except: /\.(test|spec)\.|(^|\/)(testing|e2e|bench|test)\//,
    find: (file, text) =>
      findLongFunctions(file, text, MAX_LINES).map(({ name, line, lines }) => ({
        line,
        problem: `${name} has ${lines} lines. Split it: the limit is ${MAX_LINES}.`,
      })),
  },
  // Code that outside input can make throw needs a `try`, or it ends the process
  // (docs/decisions/0039). Not in workers: one that ends fails only its own task.
  uncaught: {
    reads: /^(serve\.mjs|instrumentation\.ts|server\/.*\.(ts|mjs))$/,
    except: /\.test\.tsx?$|\.d\.ts$|\.fixture\.mjs$|\/testing\/|\/conformance\/|heaviest\.ts$|-worker\.mjs$/,
    find: (file, text) =>
      findPlaces(file, text).map(({ rule, line, text: place }) => ({
        line,
        problem: `${place}\n    ${UNCAUGHT[/** @type {keyof typeof UNCAUGHT} */ (rule)]}`,
      })),
  },
};

const names = process.argv.slice(2);
const rules = names.map((name) => {
  const rule = RULES[name];
  if (!rule) throw new Error(`Unknown rule ${name}. Rules: ${Object.keys(RULES).join(', ')}.`);
  return { name, ...rule };
});

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
for (const file of listed.split('\n')) {
  const applied = rules.filter(({ reads, except }) => reads.test(file) && !except.test(file));
  if (applied.length === 0 || !existsSync(join(root, file))) continue;
  const text = readFileSync(join(root, file), 'utf8');
  for (const { name, find } of applied)
    for (const { line, problem } of find(file, text)) {
      console.error(`${file}:${line}  ${name}: ${problem}`);
      process.exitCode = 1;
    }
}
