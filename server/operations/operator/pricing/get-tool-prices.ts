import { listPriceChanges, listPricesInForce, type PriceChangeRow } from '../../../catalog/prices/store';
import type { Runtime } from '../../../core/runtime';
import { usdFromMicrousd } from '../../../kit/money';
import type { AnySkill } from '../../../tools/sdk/define-tool';
import { SHOWN_CHANGES } from './limits';
import type { ToolPrices } from './schema';
import { getBuiltIn, hasProviderCost } from './set-tool-price';

const PPM_PER_PERCENT = 10_000;

type PriceState = ToolPrices['changes'][number]['state'];

/**
 * The prices of a built-in tool: those in effect, those of the release, and the last changes.
 * @throws GatewayError TOOL_NOT_FOUND; INVALID_INPUT for an imported tool
 */
export async function getToolPrices(
  runtime: Pick<Runtime, 'db' | 'imports' | 'tools'>,
  name: string,
): Promise<ToolPrices> {
  const builtIn = getBuiltIn(runtime, name);
  const [rows, inForce] = await Promise.all([
    listPriceChanges(runtime.db, name, SHOWN_CHANGES),
    listPricesInForce(runtime.db, name),
  ]);
  const find = (skill: string | null) => inForce.find((row) => row.skill === skill);
  const current = runtime.tools.findTool(name) ?? builtIn;
  return {
    skills: builtIn.skills.map((skill, at) => ({
      name: skill.name,
      unit: skill.price.unit,
      current: toAmounts(current.skills[at] ?? skill),
      default: toAmounts(skill),
      fee_usd: toUsd(find(skill.name)?.feeMicrousd),
      adjustable: skill.price.reprice !== undefined,
    })),
    markup_percent: toPercent(find(null)?.markupPpm),
    has_provider_cost: hasProviderCost(builtIn),
    changes: rows.map((row) => ({
      id: String(row.id),
      skill: row.skill,
      fee_usd: toUsd(row.feeMicrousd),
      markup_percent: toPercent(row.markupPpm),
      state: getState(row, rows, find(row.skill)),
      reason: row.reason,
      by: row.createdBy,
      effective_at: row.effectiveAt.toISOString(),
      created_at: row.createdAt.toISOString(),
    })),
  };
}

/** Pure. A change in force replaces the earlier ones, also if they take effect later. */
function getState(
  row: PriceChangeRow,
  rows: readonly PriceChangeRow[],
  inForce: PriceChangeRow | undefined,
): PriceState {
  if (row.id === inForce?.id) return 'current';
  const replaced = rows.some(
    ({ id, skill, effectiveAt }) => skill === row.skill && id > row.id && effectiveAt <= row.effectiveAt,
  );
  // The one in force is the last of those in effect.
  return replaced || row.id < (inForce?.id ?? 0n) ? 'replaced' : 'scheduled';
}

function toAmounts({ price }: AnySkill) {
  return {
    platform_fee_usd: usdFromMicrousd(price.platformFeeMicrousd),
    provider_cost_usd: usdFromMicrousd(price.providerCostMicrousd),
  };
}

function toUsd(amount: bigint | null | undefined): number | null {
  return amount == null ? null : usdFromMicrousd(amount);
}

function toPercent(ppm: number | null | undefined): number | null {
  return ppm == null ? null : ppm / PPM_PER_PERCENT;
}
