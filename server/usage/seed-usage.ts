import { writeAudit } from '../core/audit/audit';
import type { Runtime } from '../core/runtime';
import { issueKey } from '../identity/keys/issue-key';
import { newId } from '../kit/ids';
import { usdFromMicrousd } from '../kit/money';
import { enterRecordedCalls, grantCredit, lockAccounts } from '../money/billing/ledger';
import type { ToolDefinition } from '../tools/sdk/define-tool';
import { insertPastDays } from './days-store';
import {
  analyzeUsage,
  insertSeedRecords,
  makeMonths,
  rollUpSeed,
  type SeedSkill,
  sumSeed,
} from './seed-store';

const KEY_NAMES = ['production agent', 'staging agent', 'research notebook', 'support bot', 'nightly batch'];
const DAY_MS = 86_400_000;
const MAX_TOOLS = 500;
/** Balance after all charges. */
const CREDIT_LEFT_MICROUSD = 25_000_000n;

/** The seeded usage. */
export interface SeededUsage {
  rows: number;
  rollups: number;
  cost_usd: number;
  key_ids: string[];
  seconds: number;
}

/**
 * Seeds an account with usage and the credit that pays for it, in one transaction, so that the
 * ledger balances. The keys are marked as seeded and excluded from public figures.
 */
export async function seedUsage(
  runtime: Pick<Runtime, 'catalog' | 'db'>,
  actor: string,
  { accountId, rows, days }: { accountId: string; rows: number; days: number },
): Promise<SeededUsage> {
  const started = Date.now();
  const skills = seedSkills(runtime.catalog.list({ limit: MAX_TOOLS }));
  await makeMonths(runtime.db, days);
  const result = await runtime.db.transaction(async (tx) => {
    const keyIds: string[] = [];
    for (const name of KEY_NAMES) {
      const { row } = await issueKey(tx, { accountId, name, creditsMicrousd: null, seeded: true });
      keyIds.push(row.id);
    }
    await insertSeedRecords(tx, { accountId, keyIds, rows, days, skills });
    await rollUpSeed(tx, accountId, keyIds);
    await insertPastDays(tx, keyIds);
    const { cost, rollups } = await sumSeed(tx, accountId, keyIds);
    await lockAccounts(tx, [accountId]);
    await grantCredit(tx, {
      accountId,
      amount: cost + CREDIT_LEFT_MICROUSD,
      ref: newId('ledgerEntry'),
      memo: 'Credit for seeded usage',
      createdAt: new Date(started - (days + 1) * DAY_MS),
    });
    await enterRecordedCalls(tx, accountId, keyIds);
    const details = { rows, days };
    await writeAudit(tx, { actor, action: 'usage.seed', accountId, details });
    return { rows, rollups, cost_usd: usdFromMicrousd(cost), key_ids: keyIds };
  });
  await analyzeUsage(runtime.db);
  return { ...result, seconds: (Date.now() - started) / 1000 };
}

/**
 * Every skill of the catalogue, earlier ones more often; cost and latency depend only on the
 * position.
 */
function seedSkills(tools: readonly ToolDefinition[]): SeedSkill[] {
  return tools.flatMap((tool, place) =>
    tool.skills.map((skill, rank) => {
      const paid = (place + rank) % 3 !== 1;
      return {
        tool: tool.name,
        skill: skill.name,
        weight: 1 / ((place + 1) * (rank + 1)),
        costMicrousd: paid ? 300 * (1 + ((place * 7 + rank * 3) % 11)) : 0,
        providerShare: paid && place % 2 === 0 ? 0.8 : 0,
        latencyMs: 20 * (1 + ((place * 5 + rank * 11) % 60)),
        failureRate: 0.004 * (1 + ((place + 2 * rank) % 9)),
      };
    }),
  );
}
