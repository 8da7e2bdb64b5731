import type { Skill } from './schema';

/** What is known about the availability of a tool or skill, in texts for agents. */
type Availability = Pick<Skill, 'availability' | 'provider_keys'> & {
  unavailable_reason?: string | null | undefined;
};

const STATES = {
  needs_provider_key: 'Needs your own provider key',
  unavailable: 'Unavailable',
} as const;

/** Formats why something is not ready as a sentence; empty if it is. */
export function describeAvailability(
  { availability, unavailable_reason: reason, provider_keys: keys = [] }: Availability,
  end = '',
): string {
  if (availability === 'ready') return '';
  const headers = keys.length > 0 ? ` Headers: ${keys.map(({ header }) => header).join(', ')}.` : '';
  return `${STATES[availability]}: ${reason}${headers}${end}`;
}
