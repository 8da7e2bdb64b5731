import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Runtime } from './runtime';

/**
 * What exists once in the process and is reached from both sides of Next's bundle: `instrumentation.ts` fills it
 * when Next is prepared, `serve.mjs` and the bundled routes read it.
 */
export interface GatewaySlot {
  runtime?: Runtime;
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
