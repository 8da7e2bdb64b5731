// The process in which runInWorker (cpu-pool.ts) runs its tasks, one at a time.
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

const WATCH_INTERVAL_MS = 1_000;

// The gateway kills a task that takes too long; were the gateway itself killed, nobody would. A busy main thread cannot
// look, so a second thread does, and ends the process when its parent is gone. The parent gives its own pid: asked for
// here, it could be that of whoever adopted us already.
const watchdog = `
  const parent = ${Number(process.argv[2])};
  setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), ${WATCH_INTERVAL_MS});
`;
new Worker(watchdog, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();

process.on('disconnect', () => process.exit());

process.on('message', async (/** @type {{ file: string, name: string, payload: unknown }} */ task) => {
  process.send?.(await answerTo(task));
});

/** @param {{ file: string, name: string, payload: unknown }} task */
async function answerTo({ file, name, payload }) {
  try {
    /** @type {Record<string, (payload: unknown) => unknown>} */
    const module = await import(pathToFileURL(file).href);
    const run = module[name];
    if (!run) throw new Error(`${file} exports no ${name}`);
    return { ok: true, value: await run(payload) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
