import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { toQuotas } from '../../core/limits/key-rules';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { toKeyColumns } from './key-columns';
import { keyNotFound } from './key-errors';
import type { ApiKey, KeyRulesInput } from './schema';
import { type KeyColumns, lockKey, updateKeyColumns } from './store';

interface KeyChanges extends KeyRulesInput {
  id: string;
  name?: string | undefined;
}

/**
 * Changes name, tags and rules of a key. Its next request to any process is decided by them; calls
 * that run already are finished and charged.
 * @throws GatewayError NOT_FOUND, also for a key of another account; FORBIDDEN for a member of the
 *   team that owns it; INVALID_INPUT for rules that
 *   cannot be met; KEY_RESTRICTED if a key would change its own rules
 */
export async function updateKey(
  runtime: Pick<Runtime, 'db' | 'quotas' | 'tools'>,
  actor: Actor,
  { id, name, ...rules }: KeyChanges,
): Promise<ApiKey> {
  refuseOwnRules(actor, id, rules);
  return await runtime.db.transaction(async (tx) => {
    const account = await chooseKeyAccount(tx, actor, id, 'change');
    const before = await lockKey(tx, account.id, id);
    if (!before) throw keyNotFound();
    const quotas = toQuotas(before.accountQuotas, before.accountConcurrency);
    const columns: KeyColumns = {
      ...(name !== undefined && { name }),
      ...toKeyColumns(runtime, rules, { before, quotas }),
    };
    if (Object.keys(columns).length === 0) return describeKey(before);
    const after = describeKey(await updateKeyColumns(tx, id, columns));
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.update',
      accountId: account.id,
      target: id,
      details: toDetails({ name, ...rules }, describeKey(before), after),
    });
    return after;
  });
}

/** Rules make a key restricted, so it could not undo its change, or would lock itself out. */
function refuseOwnRules(actor: Actor, id: string, { tags: _, ...rules }: KeyRulesInput): void {
  if (actor.kind !== 'key' || actor.keyId !== id) return;
  if (Object.values(rules).every((rule) => rule === undefined)) return;
  throw new GatewayError('KEY_RESTRICTED', {
    message: 'A key may not change its own rules.',
    hint: 'Use another key that manages the account, or the dashboard under Keys.',
  });
}

/** Only what has changed: a form sends all rules, and reports ask which of them changed. */
function toDetails(sent: KeyRulesInput & { name?: string | undefined }, before: ApiKey, after: ApiKey) {
  const changed = Object.entries(sent).filter(
    ([field, value]) => value !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map(([field, value]) => [field, JSON.stringify(value)]));
}
