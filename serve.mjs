// The one process of the gateway: database up, migrations, Next prepared, then one HTTP server, the front.
// `--dev` runs Next in development mode. What it does is in server/main/boot/serve.ts.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { tsImport } from 'tsx/esm/api';

const begun = performance.now();
// By default V8 lets the heap grow to four times what is in use before it collects garbage.
setFlagsFromString('--heap-growing-percent=100');
// Read by Next when it is loaded: the shutdown is ours.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true';
process.env.NEXT_TELEMETRY_DISABLED = '1';
// Otherwise Next would ask the registry for binaries of other platforms, and rewrite the lock file.
process.env.NEXT_IGNORE_INCORRECT_LOCKFILE = '1';

const root = fileURLToPath(new URL('.', import.meta.url));
// Outside Next nothing compiles TypeScript; tsx does it for what runs before and around it.
const { serve } = await tsImport('./server/main/boot/serve.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
// It also has Node keep the source maps of all that is loaded later, of Next's build too: 80 MiB that nobody reads.
const dev = process.argv.includes('--dev');
if (!dev) process.setSourceMapsEnabled(false);

await serve({
  root,
  dev,
  begun,
  /** @param {import('next/dist/server/next').NextServerOptions} options */
  async makeNext(options) {
    // Of the build, as in Next's own standalone server: it would compile next.config.ts, whose compiler then stays loaded.
    if (!options.dev) process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = builtConfig();
    const { default: next } = await import('next');
    // Next is CommonJS: its function is the default, or the default of that.
    return next(options);
  },
});

function builtConfig() {
  // raises nothing: a file of the build, read while starting
  const built = JSON.parse(readFileSync(`${root}.next/required-server-files.json`, 'utf8'));
  return JSON.stringify(built.config);
}
