// A typical proxy: passes requests on and counts them in its own memory, without billing.
import httpProxy from '@fastify/http-proxy';
import rateLimit from '@fastify/rate-limit';
import Fastify from 'fastify';
import { serveBench } from '../servers/control.mjs';

const app = Fastify({ logger: false });
await app.register(rateLimit, {
  max: 100_000_000,
  timeWindow: '1 minute',
  keyGenerator: (request) => request.headers.authorization ?? request.ip,
});
await app.register(httpProxy, { upstream: String(process.env.UPSTREAM), prefix: '/' });
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
serveBench({ port: typeof address === 'object' ? address?.port : 0 });
