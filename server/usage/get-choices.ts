import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { chooseAccount } from '../money/billing/choose-account';
import { readKeyLabels } from './key-labels';
import { listChoices, listTags } from './report-store';
import type { UsageChoices } from './schema';

/** Limit of keys in the filter; a longer list is not usable. */
const MAX_OFFERED_KEYS = 300;

/**
 * Lists the tools, keys and tags that an account was charged for, as filter values, by name.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getChoices(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  billing: string | undefined,
): Promise<UsageChoices> {
  const account = await chooseAccount(runtime, actor, billing, 'member');
  const rows = await listChoices(runtime.db, account.id);
  const ids = [...new Set(rows.map((row) => row.key_id))].sort().reverse().slice(0, MAX_OFFERED_KEYS);
  const words = await readKeyLabels(runtime, actor, ids);
  const labels = ids.map(words);
  const people = new Map(labels.map(({ userId, person }) => [userId, person ?? 'Former member']));
  const keys = labels.map(({ userId: _, person, ...key }) => ({
    ...key,
    owner: key.is_yours ? null : person,
  }));
  return {
    tools: [...new Set(rows.map((row) => row.tool))].sort(),
    keys: sortByName(keys),
    tags: await listTags(runtime.db, ids),
    members: account.type === 'team' ? listMembers(people) : null,
  };
}

function listMembers(people: ReadonlyMap<string | null, string>) {
  return sortByName([...people].flatMap(([id, name]) => (id === null ? [] : [{ user_id: id, name }])));
}

function sortByName<Row extends { name: string }>(rows: Row[]): Row[] {
  return rows.sort((a, b) => a.name.localeCompare(b.name, 'en'));
}
