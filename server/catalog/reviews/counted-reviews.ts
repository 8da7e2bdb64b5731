import { type SQL, sql } from 'drizzle-orm';

/**
 * SQL: whether the account of `reviews` has called the tool successfully, also at a team's cost.
 */
export const HAS_CALLED = sql`exists (
  select 1 from usage_rollups u join api_keys k on k.id = u.key_id and k.account_id = reviews.account_id and not k.seeded
  where u.tool = reviews.tool and u.calls > u.failed and u.account_id in (
    select reviews.account_id union all select m.account_id from memberships m join accounts p on p.owner_user_id = m.user_id
    where p.id = reviews.account_id))`;

/**
 * Selects the reviews that count in a rating, with the columns of `reviews`: the latest of each
 * person with a claimed account that has called the tool successfully. Keys without sign-up are
 * free, so their reviews do not count (docs/decisions/0043).
 * @param which a condition on `reviews`
 */
export function countedReviews(which: SQL): SQL {
  return sql`select distinct on (reviews.tool, a.owner_user_id) reviews.*
    from reviews join accounts a on a.id = reviews.account_id
    where ${which} and a.owner_user_id is not null and a.closed_at is null and ${HAS_CALLED}
    order by reviews.tool, a.owner_user_id, reviews.updated_at desc`;
}
