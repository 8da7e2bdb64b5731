import { claimRequired } from '../accounts/claim-url';
import type { KeyContext } from '../trpc/context';
import { type FoundSkill, getSkill, type PreparedCall, prepareCall } from './prepare-call';
import type { CallInput } from './schema';

/**
 * The first checks of a call, the same for a real and a dry one: tool, skill, claim, input, price.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, CLAIM_REQUIRED
 */
export async function planCall(
  context: KeyContext,
  call: CallInput,
): Promise<FoundSkill & { prepared: PreparedCall }> {
  const { runtime, actor } = context;
  const { tool, skill } = getSkill(runtime.tools, call.tool, call.skill);
  if (actor.accountType === 'provisional' && !skill.price.free)
    throw await claimRequired(runtime, actor.accountId, 'Paid tools need a claimed account.', {
      billed: false,
    });
  const prepared = prepareCall(skill, call.input, {
    byok: false,
    byokRatePpm: runtime.settings.byokRatePpm,
    handlerTimeoutMs: runtime.settings.handlerTimeoutSeconds * 1000,
  });
  return { tool, skill, prepared };
}
