// Commands that every measured server answers over its IPC channel.
import { Session } from 'node:inspector/promises';

/** @type {Session | undefined} */
let session;

/**
 * Reports that this server is ready, then answers commands until the bench ends.
 * @param {Record<string, unknown>} ready
 * @param {() => number} countRoundTrips statements sent to the database so far
 */
export function serveBench(ready, countRoundTrips = () => 0) {
  process.on('message', async (/** @type {{ id: number, command: string }} */ { id, command }) => {
    process.send?.({ id, value: await answer(command, countRoundTrips) });
  });
  // The bench has ended, so this server exits.
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.send?.({ serves: ready });
}

/** @param {string} command @param {() => number} countRoundTrips */
async function answer(command, countRoundTrips) {
  if (command === 'usage') {
    const { user, system } = process.cpuUsage();
    return { cpuUs: user + system, roundTrips: countRoundTrips(), rssBytes: process.memoryUsage.rss() };
  }
  if (command === 'profile-start') {
    session = new Session();
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
    return {};
  }
  const stopped = await session?.post('Profiler.stop');
  session?.disconnect();
  return stopped?.profile;
}
