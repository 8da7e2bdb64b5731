import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { listViewableAccounts } from '../../money/billing/list-viewable';
import { type Content, contentContext } from './content';
import type { CallContent } from './schema';
import { findContent } from './store';

const NOTHING: CallContent = { content: null, hidden: false };

/**
 * Opens the stored content of a call. Of a team's calls, members read those of their own keys, and
 * owners and admins all. Operators have no way to it.
 */
export async function getContent(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  actor: SessionActor,
  callId: string,
): Promise<CallContent> {
  const accounts = await listViewableAccounts(runtime, actor);
  const row = await findContent(runtime.db, callId, {
    accountId: actor.accountId,
    accountIds: accounts.map(({ id }) => id),
    maxDays: runtime.settings.callContentMaxDays,
  });
  if (!row) return NOTHING;
  const role = accounts.find(({ id }) => id === row.account_id)?.role;
  if (!row.is_own && role === 'member') return { content: null, hidden: true };
  const context = contentContext({ accountId: row.account_id, callId });
  try {
    const content: Content = JSON.parse(runtime.ports.vault.open(row.sealed, context));
    return { content: { ...content, expires_at: new Date(row.expires_at).toISOString() }, hidden: false };
  } catch (error) {
    // Its vault key is missing: like a lost content, which no call waits for.
    runtime.log.error('call_contents.unusable', { callId, error });
    return NOTHING;
  }
}
