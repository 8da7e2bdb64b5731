import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { GatewayError } from '../../core/errors/gateway-error';
import { chooseRequestId } from '../../core/http/headers';
import { errorResponse, writeResponse } from '../../core/http/responses';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import type { Settings } from '../../platform/settings/settings';
import { listen } from '../boot/listen';

/** Holds the port while no web process listens, and answers that the gateway is starting. */
export class PortHolder {
  #server: Server | null = null;
  #opening: Promise<unknown> = Promise.resolve();

  /**
   * Binds the port.
   * @returns the bound port
   * @throws BootError that names the setting to change
   */
  async open(settings: Settings, explicitPort: boolean): Promise<number> {
    const server = withErrorListener(createServer(guarded(answerStarting)));
    const opening = listen(server, settings, explicitPort, (message) => console.error(message));
    this.#opening = opening.catch(() => undefined);
    const port = await opening;
    this.#server = server;
    return port;
  }

  get isOpen(): boolean {
    return this.#server !== null;
  }

  /** Frees the port for the web processes. */
  async close(): Promise<void> {
    await this.#opening;
    this.#server?.close();
    this.#server?.closeAllConnections();
    this.#server = null;
  }
}

function answerStarting(req: IncomingMessage, res: ServerResponse): void {
  withErrorListener(res);
  const error = new GatewayError('UNAVAILABLE', {
    message: 'The gateway is starting.',
    hint: 'Try again in a second.',
    details: { retry_after: 1 },
  });
  const requestId = chooseRequestId(req.headers['x-request-id']);
  writeResponse(res, errorResponse(error, { requestId, baseUrl: null, headers: { Connection: 'close' } }));
}
