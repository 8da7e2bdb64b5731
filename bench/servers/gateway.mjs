// The gateway exactly as serve.mjs runs it, plus the commands of the bench.
import { serveBench } from './control.mjs';

await import('../../serve.mjs');
const runtime = globalThis.__gateway?.runtime;
if (!runtime || !globalThis.__gateway?.dispatch) throw new Error('The gateway has not started its runtime');
// Not from the environment: Next restores it while it loads.
const { flush, settings } = runtime;

serveBench({ port: settings.port, databaseUrl: settings.databaseUrl }, () => {
  // Each flush is one statement in its own transaction: one round trip.
  return Object.values(flush.counts()).reduce((total, { flushes }) => total + flushes, 0);
});
