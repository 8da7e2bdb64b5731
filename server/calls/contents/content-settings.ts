import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { chooseAccount } from '../../money/billing/choose-account';
import { CONTENT_DAYS, DELETED_AT_ONCE, MAX_STORED_BYTES } from './limits';
import type { ContentSettings } from './schema';
import { deleteOfAccount, findSettings, saveDays } from './store';

/**
 * Whether an account stores the contents of its calls, and for how long.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getContentSettings(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  actor: SessionActor,
  billing: string | undefined,
): Promise<ContentSettings> {
  const account = await chooseAccount(runtime, actor, billing, 'member');
  const found = await findSettings(runtime.db, account.id);
  const choices = listChoices(runtime);
  return {
    days:
      found?.days && choices.length > 0 ? Math.min(found.days, runtime.settings.callContentMaxDays) : null,
    choices,
    stored_bytes: Number(found?.bytes ?? 0n),
    max_bytes: MAX_STORED_BYTES,
    can_change: account.role !== 'member',
  };
}

function listChoices({ settings }: Pick<Runtime, 'settings'>): number[] {
  return CONTENT_DAYS.filter((days) => days <= settings.callContentMaxDays);
}

/**
 * Changes how long contents are stored; null stops, and deletes what is stored.
 * @throws GatewayError FORBIDDEN unless the user is owner or admin, CLAIM_REQUIRED for an account
 *   that is not claimed, INVALID_INPUT for days that cannot be chosen
 */
export async function changeContentSettings(
  runtime: Pick<Runtime, 'callContents' | 'db' | 'settings'>,
  actor: SessionActor,
  { billing, days }: { billing?: string | undefined; days: number | null },
): Promise<ContentSettings> {
  const account = await chooseAccount(runtime, actor, billing, 'admin');
  if (account.type === 'provisional')
    throw await claimRequired(runtime, account.id, 'Only a claimed account can store contents.');
  const choices = listChoices(runtime);
  if (days !== null && !choices.includes(days))
    throw new GatewayError('INVALID_INPUT', {
      message:
        choices.length === 0
          ? 'days: the operator of this gateway has switched this off.'
          : `days: ${days} cannot be chosen. Use ${choices.join(', ')} or null.`,
      details: { fields: [{ path: 'days', message: `Use ${choices.join(', ') || 'null'}.` }] },
    });
  await runtime.db.transaction(async (tx) => {
    const before = await saveDays(tx, account.id, days);
    if (before === days) return;
    if (days === null) await deleteOfAccount(tx, account.id, DELETED_AT_ONCE);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: days === null ? 'call_contents.disable' : 'call_contents.enable',
      accountId: account.id,
      details: { days, days_before: before },
    });
  });
  await runtime.callContents.refresh();
  return await getContentSettings(runtime, actor, billing);
}
