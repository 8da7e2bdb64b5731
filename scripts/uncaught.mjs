// `npm run check -- uncaught`: no input from outside may raise where no `try` is around it, which
// would end the process (docs/decisions/0039). `// raises nothing: why` lets a place stay.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlaces } from './uncaught/find-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const ALONE = ['serve.mjs', 'instrumentation.ts'];
/** Of tests, and what runs in a worker: a worker that ends costs its own task only. */
const LEFT_OUT =
  /\.test\.tsx?$|\.d\.ts$|\.fixture\.mjs$|\/testing\/|\/conformance\/|standin|heaviest\.ts$|-worker\.mjs$/;

const RULES = {
  json: 'JSON.parse outside a try: use parseJson (server/kit/parse-json.ts) in one.',
  listener:
    "Its 'error' has no listener from birth: use withErrorListener (server/kit/error-listener.ts) or pipeline.",
  callback: 'This callback may raise, with no try around it: use guarded (server/kit/guarded.ts).',
  reason: 'Nothing here needs this reason any more.',
};

const files = [
  ...ALONE,
  ...readdirSync(join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .map((path) => `server/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(ts|mjs)$/.test(path)),
].filter((path) => !LEFT_OUT.test(path));

let found = 0;
for (const path of files)
  for (const { rule, line, text } of findPlaces(path, readFileSync(join(root, path), 'utf8'))) {
    found += 1;
    console.error(`${path}:${line}  ${text}\n    ${RULES[/** @type {keyof typeof RULES} */ (rule)]}`);
  }
if (found > 0) process.exitCode = 1;
else console.log(`${files.length} files: nothing raises outside a try.`);
