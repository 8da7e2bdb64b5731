import { z } from 'zod';
import type { Price, ToolDefinition } from '@/server/tools/sdk/define-tool';
import type { RateTable } from '@/server/tools/sdk/rates';
import { defineTestSkill, defineTestTool } from './test-tool';

const input = z.object({
  id: z.string().default(''),
  units: z.int().min(1).max(1000).default(1),
  used: z.int().min(0).max(1000).optional(),
});
type Input = z.infer<typeof input>;
type Usage = { units: number };

/** A metered tool whose unit price can change while the gateway runs. */
export interface PricedTool {
  tool: ToolDefinition;
  setFee(microusd: bigint): void;
  /** Number of handler runs. */
  runs(): number;
}

/** Skills: `fast` only reads, `regular` does not, and a worker runs `queued`. */
export function createPricedTool(): PricedTool {
  let fee = 100n;
  let runs = 0;
  const cost = (units: number, rates: RateTable = { fee }) => ({
    platformFee: (rates as { fee: bigint }).fee * BigInt(units),
    providerCost: 0n,
  });
  const price: Price<Input, Usage> = {
    free: false,
    platformFeeMicrousd: fee,
    providerCostMicrousd: 0n,
    unit: 'unit',
    costFields: ['units'],
    rates: () => ({ fee }),
    quote: ({ units }, rates) => cost(units, rates),
    settle: ({ units }, usage, rates) => cost(usage?.units ?? units, rates),
  };
  const skill = (name: string, estimatedSeconds: number) =>
    defineTestSkill<Input, { id: string }, Usage>({
      name,
      input,
      output: z.object({ id: z.string() }),
      price,
      annotations: { readOnly: name === 'fast', estimatedSeconds },
      async run({ input: { id, units, used } }) {
        runs++;
        return { output: { id }, usage: { units: used ?? units } };
      },
    });
  return {
    tool: defineTestTool('priced', [skill('fast', 0.01), skill('regular', 1), skill('queued', 30)]),
    setFee(microusd) {
      fee = microusd;
    },
    runs: () => runs,
  };
}
