import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import { accounts, memberships } from '@/db/schema/accounts';
import { users } from '@/db/schema/auth';
import type { TeamRole } from './schema';

/** Bounds the list; more teams are not listed. */
const MAX_LISTED_TEAMS = 200;
const MAX_LISTED_SPENDERS = 500;

/** A team with one person's role in it. */
const teamRow = defineRow({
  id: text(),
  slug: text(),
  name: text(),
  role: text<TeamRole>(),
  is_default: boolean(),
  available: bigint(),
  held: bigint(),
  debt: bigint(),
  frozen: boolean(),
  members: integer(),
  created_ms: float(),
});
export type TeamRow = RowOf<typeof teamRow>;

const teamColumns = sql`t.id, t.slug, t.name, m.role, u.default_team_id is not distinct from t.id as is_default,
  t.balance_microusd - t.held_microusd as available, t.held_microusd as held, t.debt_microusd as debt,
  t.frozen_at is not null as frozen,
  (select count(*)::int from memberships o where o.account_id = t.id) as members,
  (extract(epoch from t.created_at) * 1000)::float8 as created_ms`;
const teamsOfPerson = sql`memberships m join accounts t on t.id = m.account_id and t.type = 'team' and t.closed_at is null
  join users u on u.id = m.user_id`;

/** Lists a person's open teams by name. */
export async function listTeams(db: Executor, userId: string): Promise<TeamRow[]> {
  return await teamRow.read(
    db.execute(sql`
      select ${teamColumns} from ${teamsOfPerson} where m.user_id = ${userId}
      order by lower(t.name), t.id limit ${MAX_LISTED_TEAMS}`),
  );
}

/** Finds one of the person's open teams. */
export async function findTeam(db: Executor, userId: string, slug: string): Promise<TeamRow | null> {
  const [row] = await teamRow.read(
    db.execute(sql`
      select ${teamColumns} from ${teamsOfPerson} where m.user_id = ${userId} and t.slug = ${slug}`),
  );
  return row ?? null;
}

export async function findTeamId(db: Executor, slug: string): Promise<string | null> {
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(eq(accounts.slug, slug), eq(accounts.type, 'team')));
  return row?.id ?? null;
}

const idRow = defineRow({ id: text() });

/** Lists the ids of a person's open teams. */
export async function listTeamIds(db: Executor, userId: string): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`select t.id from ${teamsOfPerson} where m.user_id = ${userId} order by t.id`),
  );
  return rows.map((row) => row.id);
}

const countRow = defineRow({ count: integer() });

/** Counts the open teams that a person owns. */
export async function countOwnedTeams(db: Executor, userId: string): Promise<number> {
  const [row] = await countRow.read(
    db.execute(
      sql`select count(*)::int as count from ${teamsOfPerson} where m.user_id = ${userId} and m.role = 'owner'`,
    ),
  );
  return row?.count ?? 0;
}

/** @returns false if the slug is taken */
export async function insertTeam(
  tx: Executor,
  row: { id: string; name: string; slug: string; ownerUserId: string },
): Promise<boolean> {
  const inserted = await tx
    .insert(accounts)
    .values({ ...row, type: 'team' })
    .onConflictDoNothing()
    .returning({ id: accounts.id });
  return inserted.length > 0;
}

export async function updateTeamName(tx: Executor, teamId: string, name: string): Promise<void> {
  await tx.update(accounts).set({ name }).where(eq(accounts.id, teamId));
}

export async function updateTeamOwner(tx: Executor, teamId: string, userId: string): Promise<void> {
  await tx.update(accounts).set({ ownerUserId: userId }).where(eq(accounts.id, teamId));
}

/** Closes a team: no more charges, purchases or use as a default. Its slug stays reserved. */
export async function closeTeam(tx: Executor, teamId: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ closedAt: sql`now()`, autoReloadEnabled: false, reloadWantedAt: null })
    .where(eq(accounts.id, teamId));
  await tx.execute(sql`update users u set default_team_id = null from memberships m
    where m.account_id = ${teamId} and u.id = m.user_id and u.default_team_id = ${teamId}`);
}

/** Whether the team has an unfinished purchase. */
export async function hasOpenOrder(db: Executor, teamId: string): Promise<boolean> {
  const rows = await db.execute(
    sql`select 1 from orders where account_id = ${teamId} and status = 'open' limit 1`,
  );
  return rows.length > 0;
}

const memberRow = defineRow({
  user_id: text(),
  name: text().nullable(),
  email: text(),
  role: text<TeamRole>(),
  joined_ms: float(),
});
export type MemberRow = RowOf<typeof memberRow>;

/** Lists the members: owner, admins, members, each group by join date. */
export async function listMembers(db: Executor, teamId: string): Promise<MemberRow[]> {
  return await memberRow.read(
    db.execute(sql`
      select u.id as user_id, u.name, u.email, m.role, (extract(epoch from m.created_at) * 1000)::float8 as joined_ms
      from memberships m join users u on u.id = m.user_id where m.account_id = ${teamId}
      order by array_position(array['owner', 'admin', 'member'], m.role), m.created_at, u.id`),
  );
}

export async function countMembers(db: Executor, teamId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(memberships)
    .where(eq(memberships.accountId, teamId));
  return row?.count ?? 0;
}

/** Returns a person's role in a team; null if they are not a member. */
export async function findRole(db: Executor, teamId: string, userId: string): Promise<TeamRole | null> {
  const [row] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.accountId, teamId), eq(memberships.userId, userId)));
  return row?.role ?? null;
}

export async function isMemberByEmail(db: Executor, teamId: string, email: string): Promise<boolean> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .innerJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.accountId, teamId)))
    .where(eq(users.email, email));
  return rows.length > 0;
}

/** @returns false if the person is already a member; their role stays */
export async function insertMember(
  tx: Executor,
  row: { accountId: string; userId: string; role: TeamRole },
): Promise<boolean> {
  const inserted = await tx
    .insert(memberships)
    .values(row)
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return inserted.length > 0;
}

export async function updateRole(
  tx: Executor,
  teamId: string,
  userId: string,
  role: TeamRole,
): Promise<void> {
  await tx
    .update(memberships)
    .set({ role })
    .where(and(eq(memberships.accountId, teamId), eq(memberships.userId, userId)));
}

/** Deletes a membership, and the person's default team if it is this one. */
export async function deleteMember(tx: Executor, teamId: string, userId: string): Promise<void> {
  await tx.delete(memberships).where(and(eq(memberships.accountId, teamId), eq(memberships.userId, userId)));
  await tx
    .update(users)
    .set({ defaultTeamId: null })
    .where(and(eq(users.id, userId), eq(users.defaultTeamId, teamId)));
}

/** Deletes all memberships of a person, also in closed teams. */
export async function deleteMemberships(tx: Executor, userId: string): Promise<void> {
  await tx.delete(memberships).where(eq(memberships.userId, userId));
  await tx.update(users).set({ defaultTeamId: null }).where(eq(users.id, userId));
}

export async function updateDefaultTeam(tx: Executor, userId: string, teamId: string | null): Promise<void> {
  await tx.update(users).set({ defaultTeamId: teamId }).where(eq(users.id, userId));
}

/** Returns a person's name and email address. */
export async function findPerson(
  db: Executor,
  userId: string,
): Promise<{ name: string | null; email: string } | null> {
  const [row] = await db
    .select({ name: users.name, email: users.email })
    .from(users)
    .where(eq(users.id, userId));
  return row ?? null;
}

/**
 * Returns the id of a person's open personal account, which is locked with a team's; null if it is
 * closed.
 */
export async function findPersonalAccountId(db: Executor, userId: string): Promise<string | null> {
  const rows = await idRow.read(
    db.execute(sql`
      select id from accounts where owner_user_id = ${userId} and type = 'personal' and closed_at is null`),
  );
  return rows[0]?.id ?? null;
}

const spendRow = defineRow({
  user_id: text().nullable(),
  name: text().nullable(),
  email: text().nullable(),
  team_keys: boolean(),
  is_member: boolean(),
  calls: integer(),
  cost: bigint(),
});
export type SpendRow = RowOf<typeof spendRow>;

/** Sums what each person's keys, and the team's own, charged to it since `from` (roll-ups). */
export async function sumSpendByMember(db: Executor, teamId: string, from: Date): Promise<SpendRow[]> {
  return await spendRow.read(
    db.execute(sql`
      select u.id as user_id, u.name, u.email, coalesce(h.type = 'team', false) as team_keys,
        bool_or(m.user_id is not null) as is_member,
        sum(r.calls)::int as calls, sum(r.cost)::bigint as cost
      from (
        select key_id, sum(calls) as calls, sum(raw_cost_microusd + markup_microusd) as cost
        from usage_rollups where account_id = ${teamId} and hour >= ${from.toISOString()}::timestamptz group by key_id
      ) r
        left join api_keys k on k.id = r.key_id left join accounts h on h.id = k.account_id
        left join users u on u.id = h.owner_user_id and h.type <> 'team'
        left join memberships m on m.user_id = u.id and m.account_id = ${teamId}
      group by u.id, u.name, u.email, team_keys
      order by sum(r.cost) desc, sum(r.calls) desc, u.id limit ${MAX_LISTED_SPENDERS}`),
  );
}
