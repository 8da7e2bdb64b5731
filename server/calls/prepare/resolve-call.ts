import { GatewayError } from '../../core/errors/gateway-error';
import { requireAllowedTool } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import type { KeyContext } from '../../core/trpc/context';
import { checkWebhookUrl } from '../../notifications/webhooks/check-url';
import type { FoundSkill } from '../../tools/tool-lookup';
import type { CallInput } from '../schema';
import { type QuotedInput, validateAndQuote } from './validate-input';

/** The outcome of the first checks. */
export interface ResolvedCall extends FoundSkill {
  prepared: QuotedInput;
  /** Receives the end of the call if it becomes a job. */
  webhookUrl: string | null;
}

/**
 * The first checks of a call, shared by real calls and dry runs: tool, skill, the key's list of
 * tools, input, price, webhook. Pure.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND, TOOL_NOT_ALLOWED; JOBS_DISABLED and
 *   INVALID_INPUT for a webhook
 */
export function resolveCall({ runtime, actor }: KeyContext, call: CallInput): ResolvedCall {
  const { tool, skill } = runtime.tools.getSkill(call.tool, call.skill);
  requireAllowedTool(actor.rules, tool.name, skill.name);
  const prepared = validateAndQuote(skill, call.input, {
    byok: false,
    byokRatePpm: runtime.settings.byokRatePpm,
  });
  const webhookUrl = call.webhook === undefined ? null : checkWebhook(runtime, call.webhook);
  return { tool, skill, prepared, webhookUrl };
}

function checkWebhook(runtime: Pick<Runtime, 'ports' | 'settings'>, webhook: string): string {
  if (runtime.settings.jobs === 'off')
    throw new GatewayError('JOBS_DISABLED', {
      message: 'webhook: Jobs are off on this gateway, so no call can become one.',
      hint: 'Send the call without `webhook`: its response has the result.',
      details: { billed: false },
    });
  return checkWebhookUrl(runtime, webhook, 'webhook');
}
