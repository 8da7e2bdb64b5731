import type { CallResult } from '@/server/calls/result/schema';
import type { ErrorBody } from '@/server/core/errors/schema';
import type { Harness } from '../harness';

/** A call in channel-independent form. */
export interface ChannelCall {
  tool: string;
  skill: string;
  input: Record<string, unknown>;
}

/** The outcome of a call: its result, or the inner error object. */
export type Outcome = { result: CallResult } | { error: ErrorBody['error'] };

/** The caller: most channels use the key, tRPC the session. */
export interface Caller {
  key: string;
  userId: string;
  accountId: string;
}

/** A channel into the gateway for one caller. */
export interface Channel {
  call(call: ChannelCall): Promise<Outcome>;
  close?(): Promise<void>;
}

/** Opens a channel for a caller. */
export type OpenChannel = (harness: Harness, caller: Caller) => Promise<Channel>;

/** Reads a REST response body. @throws when it is neither a result nor an error */
export function toOutcome(body: unknown): Outcome {
  const { status, error } = (body ?? {}) as { status?: string; error?: ErrorBody['error'] };
  if (status === 'error' && error) return { error };
  if (status === 'success') return { result: body as CallResult };
  throw new Error(`The body is neither a result nor an error: ${JSON.stringify(body)}`);
}
