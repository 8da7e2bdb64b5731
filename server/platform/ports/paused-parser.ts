import type { Duplex } from 'node:stream';

/** The used part of the parser that undici 7 stores on a socket under a private symbol. */
interface Parser {
  paused: boolean;
  ptr: number | null;
  statusCode: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  execute(chunk: Buffer): void;
  finish(): Error | null;
}

const NOTHING = Buffer.alloc(0);

/**
 * Works around undici 7: if a server closes its connection while the response is read slowly, an
 * assertion fails in a socket listener (nodejs/undici#5360; fixed in 8, which needs Node 22). This
 * completes the response instead.
 */
export function completePausedAnswers(socket: Duplex): void {
  const parser = findParser(socket);
  if (!parser) return;
  const finish = parser.finish.bind(parser);
  parser.finish = () => {
    try {
      if (parser.paused) readRest(socket, parser);
      // Already complete, or freed.
      if (!parser.ptr || !parser.statusCode) return null;
      if (parser.paused) resume(parser, parser.ptr);
      return finish();
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  };
}

/** Parses the rest that the socket has buffered, without waiting for the reader. */
function readRest(socket: Duplex, parser: Parser): void {
  for (let chunk: Buffer | null = NOTHING; chunk !== null && parser.ptr; ) {
    if (!parser.paused) return;
    chunk = socket.destroyed ? null : (socket.read() as Buffer | null);
    resume(parser, parser.ptr);
    parser.execute(chunk ?? NOTHING);
  }
}

function resume(parser: Parser, ptr: number): void {
  parser.llhttp.llhttp_resume(ptr);
  parser.paused = false;
}

function findParser(socket: Duplex): Parser | undefined {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  // The types of Node do not list the symbols of a socket.
  return symbol && (socket as unknown as Record<symbol, Parser | undefined>)[symbol];
}
