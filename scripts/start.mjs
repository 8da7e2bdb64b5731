// `npm start`: builds if the sources changed, then serves, and starts the gateway again after a
// crash, with its signals, exit code and standard streams passed on (docs/decisions/0039).
import { fileURLToPath } from 'node:url';
import { runOnce, supervise } from './supervise.mjs';

const cwd = fileURLToPath(new URL('..', import.meta.url));

// Hashing, compiling and building happen elsewhere: the memory they take would stay with the
// supervisor.
const code = await runOnce(['scripts/build-if-changed.mjs'], { cwd });
process.exit(code === 0 ? await supervise(['serve.mjs', ...process.argv.slice(2)], { cwd }) : code);
