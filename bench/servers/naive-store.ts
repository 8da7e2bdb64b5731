import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { calls, usageRecords, usageRollups } from '@/db/schema/calls';
import { apiKeys } from '@/db/schema/keys';
import { ledgerEntries } from '@/db/schema/ledger';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PER_MINUTE = 1_000_000;
const PER_HOUR = 10_000_000;
const SLOTS = 10_000;
const LEASE_MS = 90_000;

export async function findKey(db: Executor, hash: Buffer) {
  const [row] = await db
    .select({ id: apiKeys.id, accountId: apiKeys.accountId })
    .from(apiKeys)
    .where(eq(apiKeys.keyHash, hash));
  return row ?? null;
}

/** All checks of the gateway before a call, in one transaction. Returns false if it is rejected. */
export async function open(
  tx: Executor,
  call: { id: string; keyId: string; accountId: string; tool: string; skill: string; hold: bigint },
): Promise<boolean> {
  const [key] = await tx.select().from(apiKeys).where(eq(apiKeys.id, call.keyId)).for('no key update');
  const [account] = await tx
    .select()
    .from(accounts)
    .where(eq(accounts.id, call.accountId))
    .for('no key update');
  if (!key || !account || key.revokedAt || account.frozenAt || account.debtMicrousd > 0n) return false;
  const now = new Date();
  const minute = advance(key.windowStartedAt[0] ?? null, key.windowUsed[0] ?? 0, MINUTE_MS, now);
  const hour = advance(key.windowStartedAt[1] ?? null, key.windowUsed[1] ?? 0, HOUR_MS, now);
  if (minute.used > PER_MINUTE || hour.used > PER_HOUR || key.running >= SLOTS) return false;
  if (account.balanceMicrousd - account.heldMicrousd < call.hold) return false;
  const spent = account.monthStart === month(now) ? account.monthSpentMicrousd : 0n;
  const cap = account.budgetLimitMicrousd;
  if (cap !== null && cap - account.heldMicrousd - spent < call.hold) return false;
  await tx
    .update(apiKeys)
    .set({
      windowStartedAt: [minute.started, hour.started],
      windowUsed: [minute.used, hour.used],
      running: key.running + 1,
      creditsHeldMicrousd: key.creditsHeldMicrousd + call.hold,
    })
    .where(eq(apiKeys.id, key.id));
  await tx.insert(calls).values({
    id: call.id,
    keyId: key.id,
    accountId: account.id,
    billing: 'personal',
    tool: call.tool,
    skill: call.skill,
    holdMicrousd: call.hold,
    fence: 'naive',
    leaseExpiresAt: new Date(now.getTime() + LEASE_MS),
    createdAt: now,
  });
  await tx
    .update(accounts)
    .set({ heldMicrousd: account.heldMicrousd + call.hold })
    .where(eq(accounts.id, account.id));
  return true;
}

/** All writes of the gateway after a call, in one transaction. Returns the available balance. */
export async function close(
  tx: Executor,
  end: { id: string; success: boolean; markup: bigint; raw: bigint; latencyMs: number },
): Promise<bigint> {
  const [call] = await tx
    .delete(calls)
    .where(and(eq(calls.id, end.id), eq(calls.fence, 'naive')))
    .returning();
  if (!call) throw new Error('The call is gone');
  const { accountId, keyId, tool, skill, holdMicrousd: hold } = call;
  const cost = end.markup + end.raw;
  const now = new Date();
  await tx
    .update(apiKeys)
    .set({
      running: sql`${apiKeys.running} - 1`,
      creditsHeldMicrousd: sql`${apiKeys.creditsHeldMicrousd} - ${hold}`,
      creditsUsedMicrousd: sql`${apiKeys.creditsUsedMicrousd} + ${cost}`,
      lastUsedAt: now,
    })
    .where(eq(apiKeys.id, keyId));
  const [account] = await tx
    .update(accounts)
    .set({
      balanceMicrousd: sql`${accounts.balanceMicrousd} - ${cost}`,
      heldMicrousd: sql`${accounts.heldMicrousd} - ${hold}`,
      monthSpentMicrousd: sql`case when ${accounts.monthStart} = ${month(now)} then ${accounts.monthSpentMicrousd} else 0 end + ${cost}`,
      monthStart: month(now),
    })
    .where(eq(accounts.id, accountId))
    .returning({ available: sql<bigint>`${accounts.balanceMicrousd} - ${accounts.heldMicrousd}` });
  await tx.insert(ledgerEntries).values({
    kind: 'call',
    ref: end.id,
    accountId,
    counterAccount: 'revenue',
    amountMicrousd: -cost,
  });
  await tx.insert(usageRecords).values({
    accountId,
    id: end.id,
    keyId,
    billing: call.billing,
    tool,
    skill,
    status: end.success ? 'success' : 'error',
    rawCostMicrousd: end.raw,
    markupMicrousd: end.markup,
    byok: false,
    latencyMs: end.latencyMs,
    createdAt: call.createdAt,
    finishedAt: now,
  });
  await tx
    .insert(usageRollups)
    .values({
      accountId,
      hour: new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS),
      keyId,
      tool,
      calls: 1,
      failed: end.success ? 0 : 1,
      byokCalls: 0,
      rawCostMicrousd: end.raw,
      markupMicrousd: end.markup,
      latencyMsSum: BigInt(end.latencyMs),
    })
    .onConflictDoUpdate({
      target: [usageRollups.accountId, usageRollups.hour, usageRollups.keyId, usageRollups.tool],
      set: {
        calls: sql`${usageRollups.calls} + excluded.calls`,
        failed: sql`${usageRollups.failed} + excluded.failed`,
        rawCostMicrousd: sql`${usageRollups.rawCostMicrousd} + excluded.raw_cost_microusd`,
        markupMicrousd: sql`${usageRollups.markupMicrousd} + excluded.markup_microusd`,
        latencyMsSum: sql`${usageRollups.latencyMsSum} + excluded.latency_ms_sum`,
      },
    });
  return BigInt(account?.available ?? 0);
}

function advance(started: Date | null, used: number, lengthMs: number, now: Date) {
  return started && now.getTime() < started.getTime() + lengthMs
    ? { started, used: used + 1 }
    : { started: now, used: 1 };
}

function month(now: Date): string {
  return `${now.toISOString().slice(0, 7)}-01`;
}
