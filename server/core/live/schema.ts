import { z } from 'zod';

/** What can change in a person's accounts. Live events contain only these names. */
export const LIVE_NAMES = ['balance', 'calls', 'jobs'] as const;

export type LiveName = (typeof LIVE_NAMES)[number];

/** An opaque token of the current versions, sent later to find out what has changed. */
export const liveTokenSchema = z.object({ token: z.string() });

/** The events of `/api/live`, by name. */
export interface LiveEvents {
  /** Names that changed since the client's token, possibly none, and the new token. */
  changed: { names: LiveName[]; token: string };
  /** The server closes the stream for good: signed out, replaced by newer tabs, or another user. */
  over: { reason: 'signed-out' | 'replaced' | 'other-person' };
}
