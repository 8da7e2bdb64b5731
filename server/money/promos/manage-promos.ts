import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { invalidFields } from '../../core/errors/field-errors';
import type { Runtime } from '../../core/runtime';
import { newId } from '../../kit/ids';
import { microusdFromUsd, usdFromMicrousd } from '../../kit/money';
import { maskCode } from './mask-code';
import type { CreatePromo, Promo, PromoList, RedemptionList } from './schema';
import { insertPromo, listPromoRows, listRedemptionRows, markDeactivated, type PromoRow } from './store';

const PAGE = 30;

/**
 * Creates a code. The audit log names it by its id and mask.
 * @throws GatewayError INVALID_INPUT for a code that exists, or a time that has passed
 */
export async function createPromo(
  runtime: Pick<Runtime, 'db'>,
  by: AuditActor,
  { code, amount_usd, max_redemptions, expires_at, new_people_only, note }: CreatePromo,
): Promise<{ id: string }> {
  const expiresAt = expires_at === null ? null : new Date(expires_at);
  if (expiresAt && expiresAt <= new Date())
    throw invalidFields([{ path: 'expires_at', message: 'Must be in the future.' }]);
  const amount = microusdFromUsd(amount_usd);
  if (amount === null) throw new Error('An invalid amount passed the schema');
  const id = newId('promo');
  await runtime.db.transaction(async (tx) => {
    const row = { id, code, note, amountMicrousd: amount, maxRedemptions: max_redemptions };
    const rest = { expiresAt, newPeopleOnly: new_people_only, createdBy: by.name };
    if (!(await insertPromo(tx, { ...row, ...rest })))
      throw invalidFields([{ path: 'code', message: 'There is a code with these letters already.' }]);
    const details = { code: maskCode(code), amount_usd, max_redemptions, expires_at, new_people_only };
    await writeAudit(tx, { actor: by, action: 'promo.create', target: id, details });
  });
  return { id };
}

/** Ends a code at once. @returns false if it had ended, or does not exist */
export async function deactivatePromo(
  runtime: Pick<Runtime, 'db'>,
  by: AuditActor,
  id: string,
): Promise<boolean> {
  return await runtime.db.transaction(async (tx) => {
    const row = await markDeactivated(tx, id);
    if (!row) return false;
    const details = { code: maskCode(row.code), redeemed: row.redeemed };
    await writeAudit(tx, { actor: by, action: 'promo.deactivate', target: id, details });
    return true;
  });
}

/**
 * Lists codes, newest first.
 * @param masked for those who may not act
 */
export async function listPromos(
  runtime: Pick<Runtime, 'db'>,
  { cursor, masked }: { cursor: string | undefined; masked: boolean },
): Promise<PromoList> {
  const rows = await listPromoRows(runtime.db, cursor ?? null, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  return {
    promos: shown.map((row) => describePromo(row, masked)),
    next_cursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Lists who redeemed a code, newest first. */
export async function listRedemptions(
  runtime: Pick<Runtime, 'db'>,
  { id, cursor }: { id: string; cursor?: string | undefined },
): Promise<RedemptionList> {
  const rows = await listRedemptionRows(runtime.db, id, cursor ?? null, PAGE + 1);
  const shown = rows.slice(0, PAGE);
  return {
    redemptions: shown.map(({ amount, created_at, ...row }) => ({
      ...row,
      amount_usd: usdFromMicrousd(amount),
      at: new Date(created_at).toISOString(),
    })),
    next_cursor: rows.length > PAGE ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** Why a code can no longer be redeemed by anyone, or that it can. */
export function getPromoState(row: PromoRow, now: Date): Promo['state'] {
  if (row.deactivatedAt) return 'deactivated';
  if (row.expiresAt && row.expiresAt <= now) return 'expired';
  return row.redeemed >= row.maxRedemptions ? 'used_up' : 'active';
}

function describePromo(row: PromoRow, masked: boolean): Promo {
  return {
    id: row.id,
    code: masked ? maskCode(row.code) : row.code,
    state: getPromoState(row, new Date()),
    amount_usd: usdFromMicrousd(row.amountMicrousd),
    redeemed: row.redeemed,
    max_redemptions: row.maxRedemptions,
    expires_at: row.expiresAt?.toISOString() ?? null,
    new_people_only: row.newPeopleOnly,
    note: row.note,
    created_at: row.createdAt.toISOString(),
  };
}
