import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from './log';
import type { WebProcessGroup } from './web-process-group';

/** The request header in which the front gives a page its id. */
export const PAGE_HEADER = 'x-gateway-page';

/**
 * Objects that exist once per process and are reached from both sides of Next's bundle.
 * `instrumentation.ts` fills it while Next prepares; `serve.mjs` and the bundled routes read it.
 * `core/runtime.ts` adds the runtime.
 */
export interface ProcessSingleton {
  /** The log of this process, created before the runtime and flushed before the process exits. */
  log?: Logger;
  /** Limits how much of its responses a client may leave unread. */
  unread?: { check(req: IncomingMessage, res: ServerResponse, leastBytes?: number): void };
  /** Counts and logs a request that Next answers. */
  watch?(req: IncomingMessage, res: ServerResponse): void;
  /** Sets the status of the page whose request has this id in `PAGE_HEADER`. */
  setPageStatus?(id: string, status: number): void;
  /** Makes /readyz report that this process is about to stop. */
  leave?(): void;
  /** Answers a request outside Next: /v1, /openapi.json, /mcp, /healthz. */
  dispatch?(req: IncomingMessage, res: ServerResponse): void;
  /** Starts background work, after Next has loaded the pages. */
  begin?(): void;
  /** Stops background work: calls, queues, pools. */
  close?(): Promise<void>;
  /** The web processes behind the same port; absent if this one is alone. */
  group?: WebProcessGroup;
  /** Reads the metrics of this process alone; `final` does not query the database. */
  readMetrics?(options: { final: boolean }): Promise<object[]>;
  /** Returns the failed checks of this process alone. */
  readFailedChecks?(): Promise<readonly string[]>;
  /** Creates a one-time link that signs the operator in. */
  createSignInLink?(): Promise<string>;
}

declare global {
  var __gateway: ProcessSingleton | undefined;
}
