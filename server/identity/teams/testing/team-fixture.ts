import type { Harness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { acceptInvitation } from '../accept-invitation';
import { createTeam } from '../create-team';
import { getTeam } from '../get-team';
import { inviteMember } from '../invite-member';
import type { GivenRole, TeamRole } from '../schema';

export type Person = Awaited<ReturnType<Harness['person']>>;

let teams = 0;

/** Creates a team with an owner and one person per role. */
export async function createTeamWith(harness: Harness, ...roles: TeamRole[]) {
  const owner = await harness.person();
  const slug = `crew-${++teams}`;
  await createTeam(harness.runtime, createSessionActor(owner), { name: slug, slug });
  const others: Person[] = [];
  for (const role of roles) {
    const person = await harness.person();
    await harness.runtime.sql`insert into memberships (account_id, user_id, role)
      select id, ${person.userId}, ${role} from accounts where slug = ${slug}`;
    others.push(person);
  }
  return { slug, owner, others };
}

/** Finds teams without exactly one owner membership that matches the account's owner. */
export async function findBadOwners({ runtime }: Harness): Promise<string[]> {
  const rows = await runtime.sql<{ slug: string }[]>`
    select a.slug from accounts a where a.type = 'team' and (
      (select count(*) from memberships m where m.account_id = a.id and m.role = 'owner') <> 1
      or not exists (select 1 from memberships m
        where m.account_id = a.id and m.role = 'owner' and m.user_id = a.owner_user_id))`;
  return rows.map((row) => row.slug);
}

export const getEmail = ({ userId }: Person) => `${userId}@example.test`;
export const getToken = (url: string) => new URL(url).searchParams.get('token') ?? '';

/** Helpers for team tests; `harness` is called only inside a test. */
export function createTeamHelpers(harness: () => Harness) {
  const runtime = () => harness().runtime;
  const sql = () => harness().runtime.sql;
  return {
    /** Creates a team with only its owner; the name differs from the slug. */
    async newTeam() {
      const owner = await harness().person();
      const n = ++teams;
      const team = { slug: `guild-${n}`, name: `Guild ${n}` };
      await createTeam(runtime(), createSessionActor(owner), team);
      return { owner, ...team };
    },
    invite: (by: Person, slug: string, email: string, role: GivenRole = 'member') =>
      inviteMember(runtime(), createSessionActor(by), { slug, email, role }),
    accept: (person: Person, token: string) => acceptInvitation(runtime(), createSessionActor(person), token),
    membersOf: async (slug: string) =>
      (await sql()`select 1 from memberships m join accounts a on a.id = m.account_id where a.slug = ${slug}`)
        .length,
    rolesIn: async (slug: string, viewer: Person) =>
      Object.fromEntries(
        (await getTeam(runtime(), createSessionActor(viewer), slug)).members.map((m) => [m.user_id, m.role]),
      ),
    auditOf: async (slug: string) =>
      (
        await sql()`select e.action from audit_events e join accounts a on a.id = e.account_id
          where a.slug = ${slug} order by e.created_at, e.id`
      ).map(({ action }) => action),
  };
}
