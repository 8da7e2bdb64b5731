import type { Microusd } from '../../kit/money';

/** Unit prices by name. A quote carries them, so that its calls are charged at them. */
export type RateTable = { readonly [name: string]: Microusd | number | RateTable | undefined };

/** The amounts of a table by their path (`gpt-6-luna/input`), in its order. Pure. */
export function listRates(table: RateTable, prefix = ''): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const [name, rate] of Object.entries(table)) {
    const path = prefix + name;
    if (typeof rate === 'object') for (const entry of listRates(rate, `${path}/`)) found.set(...entry);
    else if (rate !== undefined) found.set(path, BigInt(rate));
  }
  return found;
}

/**
 * The same table with other amounts; null if the amounts have other paths. Pure.
 * @param amounts as `listRates` returns them
 */
export function replaceRates(table: RateTable, amounts: ReadonlyMap<string, bigint>): RateTable | null {
  const paths = [...listRates(table).keys()];
  if (paths.length !== amounts.size || paths.some((path) => !amounts.has(path))) return null;
  return replaceIn(table, amounts, '');
}

function replaceIn(table: RateTable, amounts: ReadonlyMap<string, bigint>, prefix: string): RateTable {
  const entries = Object.entries(table).map(([name, rate]) => {
    const path = prefix + name;
    if (typeof rate === 'object') return [name, replaceIn(rate, amounts, `${path}/`)];
    const amount = amounts.get(path);
    return [name, typeof rate === 'number' && amount !== undefined ? Number(amount) : amount];
  });
  return Object.fromEntries(entries);
}
