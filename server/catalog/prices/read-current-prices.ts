import type { Sql } from '@/db/client';
import { bigint, defineRow, float, integer, text } from '@/db/rows';
import type { Microusd } from '../../kit/money';

/** The price changes in force. */
export interface CurrentPrices {
  rows: readonly PriceRow[];
  /** Changes with the rows. */
  fingerprint: string;
  /** Until the next scheduled change; null if there is none. */
  nextChangeMs: number | null;
}

interface PriceRow {
  tool: string;
  /** Null for the markup of all skills of the tool. */
  skill: string | null;
  fee: Microusd | null;
  markup: number | null;
}

const priceRow = defineRow({
  id: bigint(),
  tool: text(),
  skill: text().nullable(),
  fee: bigint().nullable(),
  markup: integer().nullable(),
});
const nextRow = defineRow({ ms: float().nullable() });

/** Of each skill and tool, the change made last of those in effect; a reset has neither value. */
export async function readCurrentPrices(db: Sql): Promise<CurrentPrices> {
  const rows = await priceRow.read(db`
    select distinct on (tool, skill) id, tool, skill, fee_microusd as fee, markup_ppm as markup
    from tool_prices where effective_at <= now() order by tool, skill, id desc`);
  const [next] = await nextRow.read(db`
    select (extract(epoch from min(effective_at) - now()) * 1000)::float8 as ms from tool_prices
    where effective_at > now()`);
  return {
    rows,
    fingerprint: rows.map(({ id }) => id).join(','),
    nextChangeMs: next?.ms == null ? null : Math.ceil(next.ms),
  };
}
