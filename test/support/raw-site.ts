import { createServer, type Socket } from 'node:net';

/** Writes the raw response to one request. */
export type RawAnswer = (socket: Socket, head: string) => void;

export interface RawSite {
  origin: string;
  port: number;
  close(): Promise<void>;
}

/**
 * Starts a server without an HTTP library, so that it can send malformed responses, one per
 * connection.
 * @param answers by path, or one for all paths
 */
export async function startRawSite(
  answers: Readonly<Record<string, RawAnswer>> | RawAnswer,
): Promise<RawSite> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    let head = '';
    socket.on('data', function read(chunk) {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      const path = head.split(' ', 2)[1] ?? '/';
      const answer = typeof answers === 'function' ? answers : answers[path];
      if (answer) answer(socket, head);
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
