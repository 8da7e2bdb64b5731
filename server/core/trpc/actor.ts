import type { WindowState } from '../limits/windows';

export type AccountType = 'provisional' | 'personal' | 'team';

/**
 * Whoever asks, as the database knew them when the request came in. A closed union: every act says
 * which it takes.
 */
export type Actor = KeyActor | SessionActor | OperatorActor;

/**
 * An API key. What it may do is decided again in the statement that does it; this is for refusals
 * and for names.
 */
export interface KeyActor {
  readonly kind: 'key';
  readonly keyId: string;
  /** SHA-256 of the secret, in hex. */
  readonly keyHash: string;
  readonly accountId: string;
  /** The account in which the key was made: another one once it has been claimed. */
  readonly originAccountId: string;
  readonly accountType: AccountType;
  /** The person who owns the account; null while it is provisional. */
  readonly userId: string | null;
  readonly accountFrozen: boolean;
  /** Spends within bounds of its own, so it may not change them: see `managerProcedure`. */
  readonly restricted: boolean;
  /**
   * Of a connected application: it charges the account that its consent page named, and no team.
   */
  readonly application: boolean;
  readonly windows: WindowState;
}

/** A signed-in person in the browser, acting on their personal account. */
export interface SessionActor {
  readonly kind: 'session';
  readonly userId: string;
  readonly accountId: string;
  readonly accountType: 'personal';
  readonly accountFrozen: boolean;
  /** Which session this is, so that the list of sessions can mark it; a hash, never the token. */
  readonly sessionId: string;
  /** The person's address, where this very sign-in has proved that it is theirs. */
  readonly verifiedEmail?: string | null;
}

/**
 * Whoever runs the gateway, at the command line or on the operator's pages, acting on one account.
 */
export interface OperatorActor {
  readonly kind: 'operator';
  /** The user of the operating system, or the address of who is signed in. */
  readonly name: string;
  /** Of the operator's pages. */
  readonly requestId?: string;
  readonly accountId: string;
  readonly accountType: AccountType;
  readonly accountFrozen: boolean;
}

/** The key to whose calls the actor's view is limited; null: all calls of the account. */
export function ownKeyOnly(actor: Actor): string | null {
  return actor.kind === 'key' && actor.restricted ? actor.keyId : null;
}

/** How an actor is named in the audit log. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case 'key':
      return `key:${actor.keyId}`;
    case 'session':
      return `user:${actor.userId}`;
    case 'operator':
      return operatorName(actor.name);
  }
}

/**
 * How the operator is named in the audit log, also in acts that begin before there is an account.
 */
export function operatorName(name: string): string {
  return `operator:${name}`;
}

/** Whoever runs the gateway, signed in in a browser. */
export interface Operator {
  readonly userId: string;
  readonly email: string;
}
