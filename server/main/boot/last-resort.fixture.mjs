// Fails in each way that an argument names, and prints `lives on` if the process survives them.
import { fork } from 'node:child_process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';

const CHILD = '--child';
const ways = process.argv.slice(2);

/** @type {Record<string, () => unknown>} */
const WRONG = {
  rejection: () => void Promise.reject(new Error('poison tg_live_0123456789abcdef')),
  exception: () => {
    throw new TypeError('poison tg_live_0123456789abcdef');
  },
  'odd error': () => {
    throw Object.assign(new Error('poison'), { stack: 5, message: { a: 1 } });
  },
  'no error': () => {
    throw null;
  },
  'broken stream': () => {
    const stream = new PassThrough();
    stream.end();
    stream.write('x');
  },
  'wrong message of a child': () => void fork(fileURLToPath(import.meta.url), [CHILD]),
};

if (ways.includes(CHILD)) {
  const { writeSync } = await import('node:fs');
  writeSync(/** @type {any} */ (process.channel).fd, 'this is no JSON\n');
  process.exit();
}
let logged = 0;
const { installLastResort } = await tsImport('./last-resort.ts', import.meta.url);
const { createLogger } = await tsImport('../../kit/log.ts', import.meta.url);
installLastResort({
  log: () =>
    createLogger((/** @type {string} */ line) => {
      process.stderr.write(line);
      logged += 1;
    }),
  end: async () => process.exit(1),
});
for (const way of ways) setImmediate(() => WRONG[way]?.());
// Wait a few turns after the last log line: a process that exits still runs one.
let turns = 0;
setInterval(() => {
  if (logged < ways.length || ++turns < 5) return;
  process.stdout.write('lives on');
  process.exit();
}, 20);
