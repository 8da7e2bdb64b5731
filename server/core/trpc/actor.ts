import type { KeyRules } from '../limits/key-rules';
import type { WindowState } from '../limits/windows';

export type AccountType = 'provisional' | 'personal' | 'team';

/** Who makes the request, as read from the database when it arrived. */
export type Actor = KeyActor | SessionActor | OperatorActor;

/**
 * An API key. The statement that acts on the request checks its permissions again; these fields are
 * for early errors and display.
 */
export interface KeyActor {
  readonly kind: 'key';
  readonly keyId: string;
  /** SHA-256 of the secret, in hex. */
  readonly keyHash: string;
  readonly accountId: string;
  /** The account in which the key was created; differs from `accountId` after a claim. */
  readonly originAccountId: string;
  readonly accountType: AccountType;
  /** Provisional, but opened by the payment of a call: may spend that credit on paid skills. */
  readonly prepaid: boolean;
  /** The person who owns the account; null while it is provisional, and for a team. */
  readonly userId: string | null;
  /** The slug of the team that owns the key: it charges that team only. Null for other keys. */
  readonly teamSlug: string | null;
  readonly accountFrozen: boolean;
  /** Has its own limits, so it may not change them: see `managerProcedure`. */
  readonly restricted: boolean;
  /** Belongs to a connected application: charges only the account chosen on its consent page. */
  readonly application: boolean;
  /** Grows with each change of the rules; admission refuses what was checked against older ones. */
  readonly rulesVersion: number;
  /** Null if it has none. */
  readonly rules: KeyRules | null;
  readonly windows: WindowState;
}

/** Stands for a client without a key while its call is priced: no account, no saved credentials. */
export const PAYER_ACTOR: KeyActor = {
  kind: 'key',
  keyId: '',
  keyHash: '',
  accountId: '',
  originAccountId: '',
  accountType: 'provisional',
  prepaid: true,
  userId: null,
  teamSlug: null,
  accountFrozen: false,
  restricted: true,
  application: false,
  rulesVersion: 0,
  rules: null,
  windows: [],
};

/** A signed-in person in the browser, acting on their personal account. */
export interface SessionActor {
  readonly kind: 'session';
  readonly userId: string;
  readonly accountId: string;
  readonly accountType: 'personal';
  readonly accountFrozen: boolean;
  /** A hash of the session, never the token; the list of sessions marks the current one with it. */
  readonly sessionId: string;
  /** The person's email address, if this sign-in has verified it. */
  readonly verifiedEmail?: string | null;
}

/** The operator at the command line or on the operator's pages, acting on one account. */
export interface OperatorActor {
  readonly kind: 'operator';
  /** The operating system user, or the email address of the signed-in operator. */
  readonly name: string;
  /** Only from the operator's pages. */
  readonly requestId?: string;
  readonly accountId: string;
  readonly accountType: AccountType;
  readonly accountFrozen: boolean;
}

/** The key that the actor's view is limited to; null for all calls of the account. */
export function getVisibleKeyId(actor: Actor): string | null {
  return actor.kind === 'key' && actor.restricted ? actor.keyId : null;
}

/** The actor's name in the audit log. */
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

/** The operator's name in the audit log, also for actions that do not have an account yet. */
export function operatorName(name: string): string {
  return `operator:${name}`;
}

/** An operator, or a person of their support, who is signed in in a browser. */
export interface Operator {
  /** Support may read the operator's pages, and change nothing. */
  readonly readOnly: boolean;
  readonly userId: string;
  readonly email: string;
}
