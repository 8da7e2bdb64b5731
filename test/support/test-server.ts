import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Creates an HTTP server that never closes idle connections. Node's default timeout can expire
 * while a test process is blocked, and then breaks a request that is using the connection.
 */
export function createTestServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}
