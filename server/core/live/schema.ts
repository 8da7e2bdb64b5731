import { z } from 'zod';

/** What can have changed of a person's accounts: money, calls that ended, jobs. Nothing more is ever told of it. */
export const LIVE_NAMES = ['balance', 'calls', 'jobs'] as const;

export type LiveName = (typeof LIVE_NAMES)[number];

/** Where a person's accounts stand, to ask later what has changed since. Says nothing by itself. */
export const liveTokenSchema = z.object({ token: z.string() });

/** The events of `/api/live`, by name. */
export interface LiveEvents {
  /** Names that changed since what the client knew, none where nothing did; and where things stand now. */
  changed: { names: LiveName[]; token: string };
  /**
   * The server ends the line for good: the session is over, newer tabs of the same person have taken its place, or the page
   * is another person's than the session.
   */
  over: { reason: 'signed-out' | 'replaced' | 'other-person' };
}
