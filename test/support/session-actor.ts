import type { SessionActor } from '@/server/core/trpc/actor';

/** Builds the actor of a person who is signed in with a browser. */
export function createSessionActor({
  userId,
  accountId,
}: {
  userId: string;
  accountId: string;
}): SessionActor {
  return {
    kind: 'session',
    userId,
    accountId,
    accountType: 'personal',
    accountFrozen: false,
    sessionId: `session of ${userId}`,
  };
}
