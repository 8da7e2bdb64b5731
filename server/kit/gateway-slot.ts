import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './log';

/**
 * What exists once in the process and is reached from both sides of Next's bundle:
 * `instrumentation.ts` fills it when Next is prepared, `serve.mjs` and the bundled routes read it.
 * `core/runtime.ts` adds the runtime.
 */
export interface GatewaySlot {
  /**
   * The log of this process, made before there is a runtime; what is left of it is written before
   * the end.
   */
  log?: Logger;
  /** Bounds what clients of this process leave unread. */
  unread?: { check(req: IncomingMessage, res: ServerResponse, leastBytes?: number): void };
  /** Counts and logs a request that is answered by Next. */
  watch?(req: IncomingMessage, res: ServerResponse): void;
  /** From now on /readyz says that this process is about to end. */
  leave?(): void;
  /** Answers a request of the front: /v1, /openapi.json, /mcp, /healthz. */
  dispatch?(req: IncomingMessage, res: ServerResponse): void;
  /** Ends what runs in the background: calls, queues, pools. */
  close?(): Promise<void>;
  /** A one-time link that signs the operator in. */
  createSignInLink?(): Promise<string>;
}

declare global {
  var __gateway: GatewaySlot | undefined;
}
