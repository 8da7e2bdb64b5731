import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { accountFrozen } from '../../core/errors/account-frozen';
import { GatewayError } from '../../core/errors/gateway-error';
import { runOnce, saveResponseOrThrow } from '../../core/idempotency/run-once';
import { toQuotas } from '../../core/limits/key-rules';
import type { Quotas } from '../../core/limits/windows';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { limitFromUsd } from '../../kit/money';
import { type ChosenAccount, chooseAccount } from '../../money/billing/choose-account';
import { lockAccounts } from '../../money/billing/ledger';
import { describeKey } from './describe-key';
import { issueKey } from './issue-key';
import { refuseExpired, toKeyColumns } from './key-columns';
import type { CreatedApiKey, KeyRulesInput } from './schema';
import { countActiveKeys } from './store';

interface CreateKeyOptions extends KeyRulesInput {
  name?: string | undefined;
  /** A credit limit in dollars; undefined: none. */
  credits?: number | undefined;
  /** `personal`, or the team that gets the key. */
  billing?: string | undefined;
}

/** Bounds lists and pages. */
export const MAX_ACTIVE_KEYS = 500;

/**
 * Creates a key in the caller's account, or in a team for its owner and admins. A key of a team
 * charges the team, never manages it, and stays when its creator leaves. The secret is returned
 * only once; a replayed response has the mask instead.
 * @throws GatewayError INVALID_INPUT for rules that cannot be met; CLAIM_REQUIRED for a provisional
 *   account; FORBIDDEN at MAX_ACTIVE_KEYS; AUTH_FAILED if the account was deleted concurrently
 */
export async function createKey(context: AccountContext, wanted: CreateKeyOptions): Promise<CreatedApiKey> {
  return await runOnce<CreatedApiKey>(context, { operation: 'keys.create', body: wanted }, async (claim) => {
    const { runtime, actor } = context;
    await requireClaimedAccount(runtime, actor);
    const { name = 'API key', credits, billing, ...rules } = wanted;
    refuseExpired(rules.expires_at);
    const { row, secret } = await runtime.db.transaction(async (tx) => {
      const { account, quotas } = await lockAccountForNewKey(tx, actor, billing);
      const columns = toKeyColumns(runtime, rules, { before: null, quotas });
      const creditsMicrousd = limitFromUsd(credits);
      const issued = await issueKey(
        tx,
        { accountId: account.id, name, creditsMicrousd, managesAccount: account.type !== 'team' },
        { rules: columns },
      );
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'key.create',
        accountId: account.id,
        target: issued.row.id,
      });
      await saveResponseOrThrow(tx, claim, { status: 201, body: describeKey(issued.row) });
      return issued;
    });
    return { ...describeKey(row), secret };
  });
}

async function requireClaimedAccount(runtime: Pick<Runtime, 'db' | 'settings'>, actor: Actor): Promise<void> {
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, actor.accountId, 'New keys need a claimed account.');
}

/**
 * Locks the account, so that concurrent requests cannot exceed the limit, add a key to a deleted
 * account, or to a team that the person has just left.
 * @returns the account with the limits of its keys; null: the gateway's
 */
async function lockAccountForNewKey(
  tx: Executor,
  actor: Actor,
  billing: string | undefined,
): Promise<{ account: ChosenAccount; quotas: Quotas | null }> {
  const { id } = await chooseAccount({ db: tx }, actor, billing, 'admin');
  const [locked] = await lockAccounts(tx, [id]);
  if (!locked || locked.closedAt) throw new GatewayError('AUTH_FAILED');
  const account = await chooseAccount({ db: tx }, actor, billing, 'admin');
  if (account.id !== id || account.frozen) throw accountFrozen();
  if ((await countActiveKeys(tx, id)) >= MAX_ACTIVE_KEYS)
    throw new GatewayError('FORBIDDEN', {
      message: `An account can have at most ${MAX_ACTIVE_KEYS} active keys.`,
      hint: 'Revoke keys that you no longer use.',
    });
  return { account, quotas: toQuotas(locked.callQuotas, locked.concurrentCalls) };
}
