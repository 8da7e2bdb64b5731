import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import { runOnce, saveResponseOrThrow } from '../../core/idempotency/run-once';
import type { Runtime } from '../../core/runtime';
import { type Actor, actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { microusdFromUsd } from '../../kit/money';
import { lockAccounts } from '../../money/billing/ledger';
import { describeKey } from './describe-key';
import { issueKey } from './issue-key';
import { refuseExpired, toKeyColumns } from './key-columns';
import type { CreatedApiKey, KeyRulesInput } from './schema';
import { countActiveKeys } from './store';

interface CreateKeyOptions extends KeyRulesInput {
  name?: string | undefined;
  /** An allowance in dollars; undefined: no allowance. */
  credits?: number | undefined;
}

/** Bounds lists and pages. */
export const MAX_ACTIVE_KEYS = 500;

/**
 * Creates a key in the caller's account. The secret is returned only once; a replayed response has
 * the mask instead.
 * @throws GatewayError INVALID_INPUT for rules that cannot be met; CLAIM_REQUIRED for a provisional
 *   account; FORBIDDEN at MAX_ACTIVE_KEYS; AUTH_FAILED if the account was deleted concurrently
 */
export async function createKey(context: AccountContext, wanted: CreateKeyOptions): Promise<CreatedApiKey> {
  return await runOnce<CreatedApiKey>(context, { operation: 'keys.create', body: wanted }, async (claim) => {
    const { runtime, actor } = context;
    await requireClaimedAccount(runtime, actor);
    const { name = 'API key', credits, ...rules } = wanted;
    refuseExpired(rules.expires_at);
    const columns = toKeyColumns(runtime, rules, null);
    const { row, secret } = await runtime.db.transaction(async (tx) => {
      await lockAccountForNewKey(tx, actor.accountId);
      const creditsMicrousd = credits === undefined ? null : microusdFromUsd(credits);
      const issued = await issueKey(
        tx,
        { accountId: actor.accountId, name, creditsMicrousd },
        { rules: columns },
      );
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'key.create',
        accountId: actor.accountId,
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
 * Locks the account, so that concurrent requests cannot exceed the limit or add a key to a deleted
 * account.
 */
async function lockAccountForNewKey(tx: Executor, accountId: string): Promise<void> {
  const [account] = await lockAccounts(tx, [accountId]);
  if (!account || account.closedAt) throw new GatewayError('AUTH_FAILED');
  if ((await countActiveKeys(tx, accountId)) >= MAX_ACTIVE_KEYS)
    throw new GatewayError('FORBIDDEN', {
      message: `An account can have at most ${MAX_ACTIVE_KEYS} active keys.`,
      hint: 'Revoke keys that you no longer use.',
    });
}
