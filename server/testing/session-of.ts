import type { SessionActor } from '../core/trpc/actor';

/** A person of the harness, signed in in a browser. */
export function sessionOf({ userId, accountId }: { userId: string; accountId: string }): SessionActor {
  return {
    kind: 'session',
    userId,
    accountId,
    accountType: 'personal',
    accountFrozen: false,
    sessionId: `session of ${userId}`,
  };
}
