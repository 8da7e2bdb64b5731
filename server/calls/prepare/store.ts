import type { Sql } from '@/db/client';
import { bigint, boolean, defineRow, text } from '@/db/rows';
import type { Microusd } from '../../kit/money';
import type { AdmissionRefusal, AdmitRequest } from '../admission/store';

const refusalRow = defineRow({ available: bigint(), refusal: text<AdmissionRefusal>().nullable() });

/**
 * Why a call would be refused now, by the rules of admission but without rate limits and
 * concurrency; nothing is held.
 * @returns `available`: what the account can spend; `refusal` null: the call would be admitted
 */
export async function findRefusal(
  sql: Sql,
  {
    keyId,
    accountId,
    billing,
    hold,
    rulesVersion,
  }: Pick<AdmitRequest, 'keyId' | 'accountId' | 'billing' | 'hold' | 'rulesVersion'>,
): Promise<{ available: Microusd; refusal: AdmissionRefusal | null }> {
  const [row] = await refusalRow.read(sql`
    select a.balance_microusd - a.held_microusd as available,
      admission_refusal(k, a, a.id, ${billing}, ${rulesVersion}::int, 1, ${String(hold)}::bigint, null, null, null, now()) as refusal
    from accounts a, api_keys k where a.id = ${accountId} and k.id = ${keyId}`);
  return row ?? { available: 0n, refusal: 'revoked' };
}

const teamRow = defineRow({ id: text(), slug: text(), person_frozen: boolean() });

/**
 * Finds the teams that the owner of a key may charge: by slug, or for `team` the only or default
 * one.
 */
export async function findTeamAccounts(
  sql: Sql,
  userId: string,
  billing: string,
): Promise<{ id: string; slug: string; person_frozen: boolean }[]> {
  return await teamRow.read(sql`
    select a.id, a.slug, exists (
        select 1 from accounts p where p.owner_user_id = u.id and p.type = 'personal' and p.frozen_at is not null
      ) as person_frozen
    from memberships m join accounts a on a.id = m.account_id join users u on u.id = m.user_id
    where m.user_id = ${userId} and a.type = 'team' and a.closed_at is null
      and case when ${billing} <> 'team' then a.slug = ${billing} else a.id = u.default_team_id or not exists (
        select 1 from memberships d join accounts t on t.id = d.account_id
        where d.user_id = u.id and d.account_id = u.default_team_id and t.closed_at is null
      ) end
    order by a.created_at limit 2`);
}
