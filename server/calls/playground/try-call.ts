import { dryRunCall } from '../dry-run';
import type { CallResult } from '../result/schema';
import { runCall } from '../run-call';
import type { CallInput, DryRunResult } from '../schema';
import { type SessionContext, withPlaygroundKey } from './playground-key';

/**
 * A call by a signed-in person: limited, charged and kept as one with an API key is.
 * @throws GatewayError every refusal of a call
 */
export async function tryCall(context: SessionContext, call: CallInput): Promise<CallResult> {
  return await runCall(await withPlaygroundKey(context), call);
}

/**
 * What that call would meet; it neither runs nor costs anything.
 * @throws GatewayError as for a dry run with an API key
 */
export async function checkCall(context: SessionContext, call: CallInput): Promise<DryRunResult> {
  return await dryRunCall(await withPlaygroundKey(context), call);
}
