import type { RequestEnd, RequestLease } from '../core/idempotency/run-once';
import type { KeyContext } from '../core/trpc/context';
import { admitOnce } from './admission/admit-call';
import { resolveWaitMs, respondToRun } from './execution/start-call';
import type { PreparedCall } from './prepare/prepare-call';
import { withPreparedCall } from './prepare/with-prepared-call';
import type { CallResult } from './result/schema';
import { runFirstOrAdmit } from './run-first/run-first';
import type { CallInput } from './schema';

/**
 * Runs one call: prepare, admit, execute, settle. Returns its result if it ends while the request
 * waits; otherwise the call continues as a job and the response is 202 with a poll URL. A call that
 * fails costs nothing.
 * @throws GatewayError every refusal of contract section 3, in its order; HANDLER_ERROR if the tool
 *   failed
 */
export function runCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  return withPreparedCall(context, call, runPrepared);
}

async function runPrepared(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  began: number,
): Promise<RequestEnd<CallResult>> {
  const end = await runFirstOrAdmit(context, call, lease, { admit: admitOnce });
  return await respondToRun(context, call, lease, end, { waitMs: resolveWaitMs(context), began });
}
