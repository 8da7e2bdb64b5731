// @portkey-ai/gateway with its own start script and a custom host; without billing or limits.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveBench } from '../servers/control.mjs';

const port = await new Promise((resolve) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' ? address?.port : 0));
  });
});
process.argv.push(`--port=${port}`, '--headless');
await import('@portkey-ai/gateway/build/start-server.js');
for (let tries = 0; tries < 200; tries++) {
  const answered = await fetch(`http://127.0.0.1:${port}/`).catch(() => null);
  if (answered) break;
  await sleep(50);
}
serveBench({ port });
