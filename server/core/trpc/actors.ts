import type { Actor, KeyActor, Operator } from './actor';
import type { RequestContext } from './context';

/** Finds out who makes a request. `identity/sessions` implements it; `core` may not import that. */
export interface Actors {
  /** The key as it was when this process last looked it up; null where it does not know it. */
  recall(context: RequestContext): KeyActor | null;
  /**
   * @param sessionAllowed whether a browser's session may use this REST route
   * @throws GatewayError AUTH_REQUIRED, AUTH_FAILED, RATE_LIMIT_EXCEEDED
   */
  resolve(context: RequestContext, sessionAllowed: boolean): Promise<Actor>;
  /** Null for everyone but a signed-in operator. */
  findOperator(context: RequestContext): Promise<Operator | null>;
}
