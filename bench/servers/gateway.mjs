// The gateway exactly as serve.mjs runs it, plus the commands of the bench.
import { serveBench } from './control.mjs';

await import('../../serve.mjs');
const flush = globalThis.__gateway?.runtime?.flush;
if (!flush || !globalThis.__gateway?.dispatch) throw new Error('The gateway has not started its runtime');

serveBench({ port: Number(process.env.PORT), databaseUrl: process.env.DATABASE_URL }, () => {
  // Each flush is one statement in its own transaction: one round trip.
  return Object.values(flush.counts()).reduce((total, { flushes }) => total + flushes, 0);
});
