import type { CallCredential } from '../../catalog/credentials/call-credential';
import { findOutage, findPlatformKeyOutage } from '../../catalog/tools/find-outage';
import type { KeyContext } from '../../core/trpc/context';
import type { AnyProviderName } from '../../platform/settings/providers';
import type { AnySkill } from '../../tools/sdk/define-tool';
import type { FoundSkill } from '../../tools/tool-lookup';

const NO_REQUIREMENTS: readonly AnyProviderName[] = [];

/**
 * The providers that a call with this input can use, preferred first; empty if it needs none. Pure.
 */
export function getProviderRequirements(skill: AnySkill, input: unknown): readonly AnyProviderName[] {
  return skill.getRequirementsFor?.(input) ?? skill.requirements ?? NO_REQUIREMENTS;
}

/** What a call runs with, apart from its input. */
interface CallMeans {
  /** Why the skill is unavailable, for callers; null if it is not. */
  outage: string | null;
  /** Null without providers, and if the caller and the platform have no key of them. */
  credential: CallCredential | null;
}

/**
 * Finds out whether a call can run on this gateway, and with which credential.
 * @param slots the providers that fit its input; empty if it needs none
 * @throws GatewayError INVALID_INPUT for a malformed provider key
 */
export async function findMeans(
  context: KeyContext,
  { tool, skill }: FoundSkill,
  slots: readonly AnyProviderName[],
): Promise<CallMeans> {
  const { runtime } = context;
  const outage = await findOutage(runtime, tool, skill);
  const credential = slots.length === 0 ? null : await runtime.credentials.choose(context, slots);
  const needsMore = outage === null && credential?.source === 'platform';
  const missing = needsMore ? await findPlatformKeyOutage(runtime, skill) : outage;
  return { outage: missing?.reason ?? null, credential };
}
