import { buildClaimUrl } from '../../core/claims/claim-url';
import { accountFrozen } from '../../core/errors/account-frozen';
import { type HintTransport, wordHint } from '../../core/errors/hint';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { type Microusd, usdFromMicrousd } from '../../kit/money';
import { disputedError } from './disputed-error';
import type { BillingBalance } from './schema';
import { listChargeableAccounts } from './store';

/**
 * What the actor can spend, and from which accounts.
 * @throws GatewayError FORBIDDEN for a frozen account, or to a key while a payment is disputed
 */
export async function getBalance(
  runtime: Pick<Runtime, 'db' | 'settings' | 'ports'>,
  actor: Actor,
  words: HintTransport = 'rest',
): Promise<BillingBalance> {
  const rows = (await listChargeableAccounts(runtime.db, actor.accountId)).filter(
    ({ id }) => id === actor.accountId || !(actor.kind === 'key' && actor.application),
  );
  const own = rows.find((row) => row.id === actor.accountId);
  if (!own || own.frozen) throw accountFrozen();
  // A person sees the dispute in the dashboard; an agent must stop (contract section 3).
  if (own.disputed && actor.kind === 'key') throw disputedError();
  const provisional = own.type === 'provisional';
  return {
    available_usd: usdFromMicrousd(own.available),
    ...describeDebt(own.debt),
    plan: provisional ? 'provisional' : 'prepaid',
    accounts: rows.map((row) => ({
      id: row.id,
      type: row.type,
      slug: row.slug,
      name: row.name,
      role: row.role,
      available_usd: usdFromMicrousd(row.available),
      ...describeDebt(row.debt),
      disputed: row.disputed,
    })),
    top_up_hint:
      provisional && own.claim_nonce
        ? `Free tools work now. To buy credit, claim the account: ${buildClaimUrl(runtime, own.id, own.claim_nonce)}`
        : buyHint(runtime, own.type === 'team' ? own.slug : null, words),
  };
}

function describeDebt(debt: Microusd): { debt_usd?: number } {
  return debt === 0n ? {} : { debt_usd: usdFromMicrousd(debt) };
}

function buyHint(
  { settings, ports }: Pick<Runtime, 'settings' | 'ports'>,
  teamSlug: string | null,
  words: HintTransport,
): string {
  if (!ports.payments) return 'This gateway sells no credit: ask its operator for credit.';
  const page = `${settings.baseUrl}/dashboard/billing`;
  const personal = {
    rest: `Buy credit at ${page}, or with POST /v1/billing/checkout.`,
    mcp: `Buy credit at ${page}.`,
  };
  return teamSlug === null
    ? wordHint(personal, words)
    : `An owner or admin of the team can buy credit at ${page}?billing=${encodeURIComponent(teamSlug)}.`;
}
