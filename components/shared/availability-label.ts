import type { Skill } from '@/server/catalog/tools/schema';

const LABELS = { ready: null, needs_provider_key: 'Needs your key', unavailable: 'Unavailable' } as const;

/** The label of a tool or skill that is not ready; null if it is. */
export function availabilityLabel({ availability }: Pick<Skill, 'availability'>): string | null {
  return LABELS[availability];
}
