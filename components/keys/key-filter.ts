import type { KeyPage } from '@/server/identity/keys/schema';

/** The calls of a key: a team's key charges the team only, any other all accounts of its owner. */
export function toKeyFilter({ key, team }: Pick<KeyPage, 'key' | 'team'>) {
  return team === null ? { every_account: true, key_id: key.id } : { billing: team.slug, key_id: key.id };
}

/** The refused calls of a key, which belong to its account, whatever account they named. */
export function toRefusalsOfKey({ key, team }: Pick<KeyPage, 'key' | 'team'>) {
  return { billing: team?.slug, key_id: key.id, period: '30d' as const };
}
