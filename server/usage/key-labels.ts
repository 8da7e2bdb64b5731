import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { getDisplayName } from '../identity/teams/invitation';
import { type KeyLabelRow, listKeyLabels } from './report-store';

/** The label of a key in usage, and its owner. */
export interface KeyLabel {
  key_id: string;
  name: string;
  kind: 'api' | 'playground' | 'oauth' | null;
  is_yours: boolean;
  userId: string | null;
  /** Name or email of the owner; null if the user was deleted. */
  person: string | null;
}

/** Loads the labels of keys as the viewer sees them; deleted keys get one too. */
export async function readKeyLabels(
  runtime: Pick<Runtime, 'db'>,
  actor: Pick<Actor, 'accountId'>,
  ids: Iterable<string>,
): Promise<(id: string) => KeyLabel> {
  const wanted = [...new Set(ids)];
  const rows = wanted.length === 0 ? [] : await listKeyLabels(runtime.db, wanted);
  const byId = new Map(rows.map((row) => [row.id, toKeyLabel(row, actor)]));
  return (id) => byId.get(id) ?? { ...DELETED_KEY, key_id: id };
}

const DELETED_KEY = { name: 'Deleted key', kind: null, is_yours: false, userId: null, person: null };

function toKeyLabel(row: KeyLabelRow, actor: Pick<Actor, 'accountId'>): KeyLabel {
  return {
    key_id: row.id,
    name: row.kind === 'playground' ? 'Playground' : row.name,
    kind: row.kind,
    is_yours: row.account_id === actor.accountId,
    userId: row.user_id,
    person: getDisplayName(row.person_name, row.person_email),
  };
}
