// `npm start`: builds if the sources changed, serves, and restarts the gateway after a crash.
// Passes on signals, exit code and standard streams (docs/decisions/0039).
import { fileURLToPath } from 'node:url';
import { runOnce, supervise } from './supervise.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));

// Hashing and building run in another process, because their memory would stay with the supervisor.
const code = await runOnce(['scripts/build-if-changed.mjs'], { cwd });
process.exit(code === 0 ? await supervise(['serve.mjs', ...process.argv.slice(2)], { cwd }) : code);
