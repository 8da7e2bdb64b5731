import type { Actor, KeyActor, Operator } from './actor';
import type { RequestContext } from './context';

/**
 * Identifies who makes a request. Implemented by `identity/sessions`, which `core` may not import.
 */
export interface Actors {
  /** The key as this process last read it, from memory; null if it is not cached. */
  recall(context: RequestContext): KeyActor | null;
  /**
   * @param sessionAllowed whether a browser's session may use this REST route
   * @throws GatewayError AUTH_REQUIRED, AUTH_FAILED, RATE_LIMIT_EXCEEDED
   */
  resolve(context: RequestContext, sessionAllowed: boolean): Promise<Actor>;
  /** Returns the signed-in operator; null for everyone else. */
  findOperator(context: RequestContext): Promise<Operator | null>;
}
