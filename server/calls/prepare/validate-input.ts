import { ZodError } from 'zod';
import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyActor } from '../../core/trpc/actor';
import { readLeniently } from '../../kit/lenient-input';
import { setWorkerCaller, toWorkerCaller } from '../../platform/workers/worker-callers';
import type { AnySkill } from '../../tools/sdk/define-tool';
import { type CallCost, quoteCall } from './price-call';

/** A validated input with the maximum cost of its call, or what is wrong with it. */
export type QuotedInput = { ok: true; input: unknown; quote: CallCost } | { ok: false; error: ZodError };

/**
 * Validates the input against the schema of the skill and prices it. Null for an optional field
 * means absent. Pure.
 */
export function validateAndQuote(
  skill: AnySkill,
  rawInput: Record<string, unknown>,
  options: { byok: boolean; byokRatePpm: bigint },
): QuotedInput {
  const parsed = skill.input.safeParse(readLeniently(skill.input, rawInput));
  if (!parsed.success) return { ok: false, error: parsed.error };
  const quote = quoteCall(skill, parsed.data, options.byok, options.byokRatePpm);
  return { ok: true, input: parsed.data, quote };
}

/**
 * Checks an input further, outside the event loop. The computing is the caller's, and is not
 * refunded if the call is refused.
 * @throws GatewayError UNAVAILABLE if too many such checks wait
 */
export async function checkInputSlowly(
  actor: KeyActor,
  skill: AnySkill,
  prepared: QuotedInput,
): Promise<QuotedInput> {
  if (!prepared.ok || !skill.slowChecks) return prepared;
  const getSignal = () => {
    const { signal } = new AbortController();
    setWorkerCaller(signal, toWorkerCaller(actor));
    return signal;
  };
  const problems = await skill.slowChecks.input(prepared.input, getSignal).catch((cause: unknown) => {
    throw new GatewayError('UNAVAILABLE', { message: 'The input could not be checked.', cause });
  });
  if (problems.length === 0) return prepared;
  const issues = problems.map((problem) => ({ code: 'custom' as const, input: undefined, ...problem }));
  return { ok: false, error: new ZodError(issues) };
}
