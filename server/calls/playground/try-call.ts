import { dryRunCall } from '../prepare/dry-run';
import type { CallResult } from '../result/schema';
import { runCall } from '../run-call';
import type { CallInput, DryRunResult } from '../schema';
import { resumeStream } from '../stream/resume-stream';
import { streamCall } from '../stream/stream-call';
import { type SessionContext, withPlaygroundKey } from './playground-key';

/**
 * Runs a call of a signed-in user, with the limits, charges and history of an API key.
 * @throws GatewayError every refusal of a call
 */
export async function tryCall(context: SessionContext, call: CallInput): Promise<CallResult> {
  const run = context.wantsEvents ? streamCall : runCall;
  return await run(await withPlaygroundKey(context), call);
}

/**
 * Streams the events of a job of the signed-in user's account after `context.lastEventId`.
 * @throws GatewayError as with an API key
 */
export async function resumeCall(context: SessionContext, { jobId }: { jobId: string }): Promise<void> {
  await resumeStream(await withPlaygroundKey(context), { jobId });
}

/**
 * Checks and prices the call without running or charging it.
 * @throws GatewayError as for a dry run with an API key
 */
export async function checkCall(context: SessionContext, call: CallInput): Promise<DryRunResult> {
  return await dryRunCall(await withPlaygroundKey(context), call);
}
