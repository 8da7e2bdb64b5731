// `npm run check -- uncaught`: code that outside input can make throw needs a `try`, or it ends the
// process (docs/decisions/0039). `// Cannot throw: why` allows a place.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlaces } from './uncaught/find-places.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const ALONE = ['serve.mjs', 'instrumentation.ts'];
/** Tests, and code that runs in workers: a worker that ends fails only its own task. */
const LEFT_OUT =
  /\.test\.tsx?$|\.d\.ts$|\.fixture\.mjs$|\/testing\/|\/conformance\/|heaviest\.ts$|-worker\.mjs$/;

const RULES = {
  json: 'JSON.parse outside a try: use parseJson (server/kit/parse-json.ts) inside one.',
  listener:
    "No 'error' listener from the start: use withErrorListener (server/kit/error-listener.ts) or pipeline.",
  callback: 'This callback may throw outside a try: use guarded (server/kit/guarded.ts).',
  reason: 'This `Cannot throw` comment is no longer needed.',
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
else console.log(`${files.length} files: nothing throws outside a try.`);
