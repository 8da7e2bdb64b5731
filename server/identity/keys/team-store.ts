import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, text } from '@/db/rows';
import { CALL_WINDOWS } from '../../core/limits/limits';
import { readWindows, type WindowState, windowColumns } from '../../core/limits/windows';

/** The account of a key. */
export interface KeyAccount {
  id: string;
  /** The team it is, with the role in it of the person who asks; null for their own account. */
  team: { slug: string; name: string; role: 'owner' | 'admin' | 'member' } | null;
}

const accountRow = defineRow({
  id: text(),
  is_team: boolean(),
  slug: text().nullable(),
  name: text(),
  role: text<'owner' | 'admin' | 'member'>().nullable(),
});

/** Finds the account of a key, if it is `fromId` or an open team of the person who owns that. */
export async function findKeyAccount(
  db: Executor,
  fromId: string,
  keyId: string,
): Promise<KeyAccount | null> {
  const [row] = await accountRow.read(
    db.execute(sql`
      select a.id, a.type = 'team' as is_team, a.slug, a.name, m.role
      from api_keys k join accounts a on a.id = k.account_id
        left join accounts p on p.id = ${fromId} and p.type = 'personal'
        left join memberships m on m.account_id = a.id and m.user_id = p.owner_user_id
      where k.id = ${keyId} and (a.id = ${fromId} or (a.type = 'team' and a.closed_at is null and m.role is not null))`),
  );
  if (!row) return null;
  const { id, is_team, slug, name, role } = row;
  return { id, team: is_team && slug !== null ? { slug, name, role: role ?? 'member' } : null };
}

const windowsRow = defineRow(windowColumns);

/** The state of a key's rate-limit windows now. */
export async function readKeyWindows(db: Executor, id: string): Promise<WindowState> {
  const seconds = sql`${sql.param(CALL_WINDOWS.map((window) => window.seconds))}::int[]`;
  const [row] = await windowsRow.read(
    db.execute(sql`
      select window_use(k.window_started_at, k.window_used, ${seconds}, 0, now())::text as window_used,
        window_resets(k.window_started_at, ${seconds}, now())::text as window_resets
      from api_keys k where k.id = ${id}`),
  );
  return readWindows(row ?? { window_used: null, window_resets: null });
}
