import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';

/**
 * 100 Continue is sent when the body is first read: a request that is refused by its headers is
 * never asked for one. Node then closes the connection with the answer, because what comes next
 * might be that body.
 */
export function continueWhenRead(server: Server): void {
  const onCheck = guarded((req: IncomingMessage, res: ServerResponse) => {
    if (!hasBody(req)) res.writeContinue();
    else {
      let asked = false;
      req._read = function read(this: IncomingMessage, size: number) {
        // After the answer Node empties the connection: that asks for nothing.
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
