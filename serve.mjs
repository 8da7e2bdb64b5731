// The one process of the gateway: database up, migrations, Next prepared, then one HTTP server, the front.
// `--dev` runs Next in development mode. What it does is in server/boot/serve.ts.
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const begun = performance.now();
// Read by Next when it is loaded: the shutdown is ours.
process.env.NEXT_MANUAL_SIG_HANDLE = 'true';
process.env.NEXT_TELEMETRY_DISABLED = '1';
// Otherwise Next would ask the registry for binaries of other platforms, and rewrite the lock file.
process.env.NEXT_IGNORE_INCORRECT_LOCKFILE = '1';

const root = fileURLToPath(new URL('.', import.meta.url));
// Outside Next nothing compiles TypeScript; tsx does it for what runs before and around it.
const { serve } = await tsImport('./server/boot/serve.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});

await serve({
  root,
  dev: process.argv.includes('--dev'),
  begun,
  /** @param {import('next/dist/server/next').NextServerOptions} options */
  async makeNext(options) {
    const { default: next } = await import('next');
    // Next is CommonJS: its function is the default, or the default of that.
    return next(options);
  },
});
