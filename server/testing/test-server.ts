import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * An HTTP server that never closes an idle connection by itself. Node's own limit of some seconds
 * runs out while a busy test process stands still, and closes a connection that a request is on.
 */
export function createTestServer(answer?: RequestListener): Server {
  return createServer({ keepAliveTimeout: 0 }, answer);
}
