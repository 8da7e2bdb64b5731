import { claimRequired } from '../core/claims/claim-url';
import type { KeyContext } from '../core/trpc/context';
import type { CallInput } from './schema';
import { type FoundSkill, getSkill, type QuotedInput, validateAndQuote } from './validate-and-quote';

/**
 * The outcome of the first checks. `needsClaim` takes precedence over invalid input:
 * `requireClaimed`.
 */
export interface ResolvedCall extends FoundSkill {
  needsClaim: boolean;
  prepared: QuotedInput;
}

/**
 * The first checks of a call, shared by real calls and dry runs: tool, skill, claim, input, price.
 * Pure.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export function resolveCall({ runtime, actor }: KeyContext, call: CallInput): ResolvedCall {
  const { tool, skill } = getSkill(runtime.tools, call.tool, call.skill);
  const prepared = validateAndQuote(skill, call.input, {
    byok: false,
    byokRatePpm: runtime.settings.byokRatePpm,
  });
  const needsClaim = actor.accountType === 'provisional' && !skill.price.free;
  return { tool, skill, needsClaim, prepared };
}

/** @throws GatewayError CLAIM_REQUIRED, with the claim link for a person */
export async function requireClaimed({ runtime, actor }: KeyContext): Promise<never> {
  const message = 'Paid tools need a claimed account.';
  throw await claimRequired(runtime, actor.accountId, message, { billed: false });
}
