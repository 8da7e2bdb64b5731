import type { ProviderKey } from '../../core/errors/schema';
import type { Runtime } from '../../core/runtime';
import { findProvider } from '../../platform/settings/providers';
import type { AnySkill, MissingEngine, ToolDefinition } from '../../tools/sdk/define-tool';
import { describeProviderKeys } from '../credentials/describe-provider-keys';
import { findOutage, findPlatformKeyOutage } from './find-outage';
import type { AvailabilityState } from './schema';

/** Whether every caller can use a skill or tool of this gateway. */
export interface Availability {
  readonly state: AvailabilityState;
  /** Why it is not ready, for callers; null if it is. */
  readonly reason: string | null;
  /** How to change that, for operators. */
  readonly fix?: string | undefined;
  /** The keys of which any one makes it ready; empty unless it needs one. */
  readonly keys: readonly ProviderKey[];
}

/** The availability of a tool, which is the best of its skills, and of each of them. */
export interface ToolAvailability {
  readonly tool: Availability;
  readonly skills: ReadonlyMap<AnySkill, Availability>;
}

export const READY: Availability = { state: 'ready', reason: null, keys: [] };
/** Best first. */
export const STATES: readonly AvailabilityState[] = ['ready', 'needs_provider_key', 'unavailable'];

/** Determines the availability of a tool, for everyone: it ignores what a caller has saved. */
export async function getAvailability(
  runtime: Pick<Runtime, 'engines' | 'slots' | 'switches'>,
  tool: ToolDefinition,
): Promise<ToolAvailability> {
  const entries = await Promise.all(
    tool.skills.map(async (skill) => [skill, await getSkillAvailability(runtime, tool, skill)] as const),
  );
  return { tool: findBest(entries.map(([, availability]) => availability)), skills: new Map(entries) };
}

async function getSkillAvailability(
  runtime: Pick<Runtime, 'engines' | 'slots' | 'switches'>,
  tool: ToolDefinition,
  skill: AnySkill,
): Promise<Availability> {
  const outage = await findOutage(runtime, tool, skill);
  if (outage) return { state: 'unavailable', keys: [], ...outage };
  const { requirements: slots = [] } = skill;
  if (slots.length === 0) return READY;
  const keys = describeProviderKeys(runtime, slots);
  const missing = slots.some((slot) => runtime.slots.get(slot).apiKey !== null)
    ? await findPlatformKeyOutage(runtime, skill)
    : describeMissingKey(keys);
  return missing ? { state: 'needs_provider_key', keys, ...missing } : READY;
}

function findBest(all: readonly Availability[]): Availability {
  const state = STATES.find((candidate) => all.some((each) => each.state === candidate));
  const best = all.filter((each) => each.state === state);
  const [first = READY] = best;
  const keys = new Map(best.flatMap((each) => each.keys.map((key) => [key.name, key])));
  return { ...first, keys: [...keys.values()] };
}

/** Built-in providers have a setting; an imported tool has a command. */
function describeMissingKey(keys: readonly ProviderKey[]): MissingEngine {
  const settings = keys
    .filter(({ name }) => findProvider(name))
    .map(({ name }) => `${name.toUpperCase()}_API_KEY`);
  return {
    reason: `This gateway has no key of ${keys.map(({ displayName }) => displayName).join(' or ')}. Bring your own.`,
    fix: settings.length > 0 ? `Set ${settings.join(' or ')}.` : 'Run the command tools secret.',
  };
}
