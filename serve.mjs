// Starts the gateway: database, migrations, Next, and one HTTP server for all requests. `--dev`
// runs Next in development mode, `--processes N` several web processes behind one port. The code is
// in server/main/launch.ts.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { importMain } from './scripts/import-main.mjs';

const started = performance.now();
// By default V8 lets the heap grow to four times its live size before it collects garbage.
setFlagsFromString('--heap-growing-percent=100');
// Read when Next is loaded: we handle the shutdown ourselves.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true';
process.env.NEXT_TELEMETRY_DISABLED = '1';
// Otherwise Next downloads binaries of other platforms and rewrites the lock file.
process.env.NEXT_IGNORE_INCORRECT_LOCKFILE = '1';

const root = fileURLToPath(new URL('.', import.meta.url));
const { launch } = await importMain('launch');
// tsx makes Node store the source maps of all modules, also of Next's build: 80 MiB of no use.
const dev = process.argv.includes('--dev');
if (!dev) process.setSourceMapsEnabled(false);

await launch({
  args: process.argv.slice(2),
  root,
  dev,
  started,
  /** @param {import('next/dist/server/next').NextServerOptions} options */
  async makeNext(options) {
    // From the build, as in Next's standalone server: otherwise Next loads a compiler for
    // next.config.ts.
    if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig();
    const { default: next } = await import('next');
    // Next is CommonJS: its function is the default export, or the default of that.
    return next(options);
  },
});

function builtConfig() {
  // Cannot throw: a file of the build, read during startup
  const built = JSON.parse(readFileSync(`${root}.next/required-server-files.json`, 'utf8'));
  return JSON.stringify(built.config);
}
