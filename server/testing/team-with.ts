import { createTeam } from '../teams/create-team';
import type { TeamRole } from '../teams/schema';
import type { Harness } from './harness';
import { sessionOf } from './session-of';

export type Person = Awaited<ReturnType<Harness['person']>>;

let teams = 0;

/** A team made by its owner, with one more person of each role wanted. */
export async function teamWith(harness: Harness, ...roles: TeamRole[]) {
  const owner = await harness.person();
  const slug = `crew-${++teams}`;
  await createTeam(harness.runtime, sessionOf(owner), { name: slug, slug });
  const others: Person[] = [];
  for (const role of roles) {
    const person = await harness.person();
    await harness.runtime.sql`insert into memberships (account_id, user_id, role)
      select id, ${person.userId}, ${role} from accounts where slug = ${slug}`;
    others.push(person);
  }
  return { slug, owner, others };
}

/** Teams without exactly one owner who is the same in both places: there must be none, whatever was tried. */
export async function findBadOwners({ runtime }: Harness): Promise<string[]> {
  const rows = await runtime.sql<{ slug: string }[]>`
    select a.slug from accounts a where a.type = 'team' and (
      (select count(*) from memberships m where m.account_id = a.id and m.role = 'owner') <> 1
      or not exists (select 1 from memberships m
        where m.account_id = a.id and m.role = 'owner' and m.user_id = a.owner_user_id))`;
  return rows.map((row) => row.slug);
}
