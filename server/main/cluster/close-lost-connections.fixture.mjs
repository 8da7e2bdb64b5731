// A primary with one web process that stops responding and is killed while a connection is handed
// to it. Prints whether the client notices within LIMIT_MS. `without` leaves out what is tested.
// Usage: close-lost-connections.fixture.mjs LIMIT_MS [without]
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { connect } from 'node:net';

const [limitMs, without] = process.argv.slice(2);

if (cluster.isWorker) createServer().listen(0, '127.0.0.1');
else {
  const { tsImport } = await import('tsx/esm/api');
  const { closeLostConnections } = await tsImport('./close-lost-connections.ts', import.meta.url);
  const worker = cluster.fork();
  if (!without) closeLostConnections(worker);
  worker.on('listening', ({ port }) => {
    worker.process.kill('SIGSTOP');
    const client = connect(port, '127.0.0.1', () => setTimeout(() => worker.process.kill('SIGKILL'), 100));
    client.on('error', () => undefined);
    const limit = setTimeout(() => finish('waits'), Number(limitMs));
    client.on('close', () => {
      clearTimeout(limit);
      finish('closed');
    });
  });
}

/** @param {string} outcome */
function finish(outcome) {
  process.stdout.write(outcome);
  process.exit();
}
