import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';

/**
 * Sends 100 Continue when the body is first read, so that a request refused by its headers never
 * sends one. Node then closes the connection after the answer, because the next bytes might be that
 * body.
 */
export function continueWhenRead(server: Server): void {
  const onCheck = guarded((req: IncomingMessage, res: ServerResponse) => {
    if (!hasBody(req)) res.writeContinue();
    else {
      let asked = false;
      req._read = function read(this: IncomingMessage, size: number) {
        // After the answer, Node drains the connection; that must not request the body.
        if (!asked && !res.headersSent && !res.destroyed) {
          asked = true;
          res.writeContinue();
        }
        IncomingMessage.prototype._read.call(this, size);
      };
    }
    server.emit('request', req, res);
  });
  server.on('checkContinue', onCheck);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
