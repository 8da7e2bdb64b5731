// Imported by workers whose libraries take memory outside of the JavaScript heap, which --max-old-space-size does not
// bound: a bomb inside a document would take the machine's. A second thread looks, because the first is busy.
import { Worker } from 'node:worker_threads';

/** Resident memory of one worker process. The largest pictures and documents allowed need about half of it. */
const MAX_RSS_BYTES = 1536 * 1024 * 1024;
/** Inflating fills some 100 MB in that time. */
const LOOK_INTERVAL_MS = 200;

// SIGKILL, as for a heap that is full: the pool tells the caller that the input needs too much memory.
const guard = `
  setInterval(() => process.memoryUsage.rss() > ${MAX_RSS_BYTES} && process.kill(process.pid, 'SIGKILL'), ${LOOK_INTERVAL_MS});
`;
new Worker(guard, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
