import type { CallResult } from '../../calls/result/schema';
import type { ErrorBody } from '../../core/errors/schema';
import type { Harness } from '../harness';

/** What is called, in the words of every channel. */
export interface ChannelCall {
  tool: string;
  skill: string;
  input: Record<string, unknown>;
}

/** How a call ended: with its result, or with the inner Error object. */
export type Outcome = { result: CallResult } | { error: ErrorBody['error'] };

/** Who calls: on most channels by the key, on the dashboard's by the session. */
export interface Caller {
  key: string;
  userId: string;
  accountId: string;
}

/** One of the ways into the gateway, for one caller. */
export interface Channel {
  call(call: ChannelCall): Promise<Outcome>;
  close?(): Promise<void>;
}

/** Opens a channel. */
export type OpenChannel = (harness: Harness, caller: Caller) => Promise<Channel>;

/** What a body of REST's shapes says. @throws where it is neither a result nor an error */
export function outcomeOf(body: unknown): Outcome {
  const { status, error } = (body ?? {}) as { status?: string; error?: ErrorBody['error'] };
  if (status === 'error' && error) return { error };
  if (status === 'success') return { result: body as CallResult };
  throw new Error(`Neither a result nor an error: ${JSON.stringify(body)}`);
}
