// Target (b): the cost of Next alone. An app with one empty route, under a custom server like ours.
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import next from 'next';
import { serveBench } from './control.mjs';

const server = createServer();
server.listen(0, '127.0.0.1', async () => {
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const dir = fileURLToPath(new URL('../next-nothing', import.meta.url));
  const app = next({ dev: false, dir, hostname: '127.0.0.1', port, httpServer: createServer() });
  await app.prepare();
  const handle = app.getRequestHandler();
  server.on('request', (req, res) => void handle(req, res));
  serveBench({ port });
});
