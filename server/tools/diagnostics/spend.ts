import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { formatUsd, type Microusd, microusdFromUsd } from '../../kit/money';
import { type Cost, defineSkill, type Price } from '../sdk/define-tool';

const MIN_AMOUNT_USD = 0.000001;
const MAX_AMOUNT_USD = 1;
const MAX_SECONDS = 60;

const input = z.object({
  amount_usd: z
    .number()
    .min(MIN_AMOUNT_USD)
    .max(MAX_AMOUNT_USD)
    .refine((usd) => microusdFromUsd(usd) !== null, 'amount_usd may have at most six decimals.')
    .describe('Price of this call in US dollars, from 0.000001 to 1, with at most six decimals.'),
  seconds: z
    .number()
    .min(0)
    .max(MAX_SECONDS)
    .default(0)
    .describe(
      'Seconds to wait before the call succeeds, from 0 to 60; 0 by default. A cancelled call costs nothing.',
    ),
});

/** The caller chooses the price, so this skill can produce any amount in the ledger. */
const chosenByCaller: Price<z.infer<typeof input>, undefined> = {
  free: false,
  platformFeeMicrousd: 1n,
  providerCostMicrousd: 0n,
  unit: 'call; you choose the amount, shown is the least',
  costFields: ['amount_usd'],
  // The caller's input is the price: no unit price can change.
  rates: () => ({}),
  quote: (call) => buildCost(call.amount_usd),
  settle: (call) => buildCost(call.amount_usd),
};

const output = z.object({
  amount_usd: z.number().describe('The amount charged, in US dollars.'),
  note: z.string().describe('A sentence with the amount charged.'),
});

export const spend = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'spend',
  displayName: 'Spend',
  keywords: 'test billing charge payment cost tiny small amount',
  description:
    'A paid call that costs exactly the amount you choose, from a millionth of a dollar to one dollar, and does nothing else. Use it to test billing, balance, budgets, spending limits and receipts with small real charges; give it seconds to see what a paid call costs that takes long or is cancelled.',
  input,
  output,
  returns: 'The amount charged and a note about it.',
  examples: [
    { description: 'Spend a tenth of a cent', input: { amount_usd: 0.001 } },
    { description: 'Spend the smallest amount there is', input: { amount_usd: 0.000001 } },
    { description: 'Spend it after a tenth of a second', input: { amount_usd: 0.000001, seconds: 0.1 } },
  ],
  price: chosenByCaller,
  // Not idempotent: each retry is charged again.
  annotations: { readOnly: true, idempotent: false, destructive: false, estimatedSeconds: 0.01 },
  async run(context) {
    const { input } = context;
    // The signal is created on first access, and most of these calls do not wait.
    if (input.seconds > 0) await wait(input.seconds * 1000, undefined, { signal: context.signal });
    const note = `This call costs ${formatUsd(chosenAmount(input.amount_usd))}.`;
    return { output: { amount_usd: input.amount_usd, note } };
  },
});

function buildCost(amountUsd: number): Cost {
  return { platformFee: chosenAmount(amountUsd), providerCost: 0n };
}

/**
 * @throws {RangeError} if the amount is not a whole number of micro-dollars; the schema prevents it
 */
function chosenAmount(amountUsd: number): Microusd {
  const amount = microusdFromUsd(amountUsd);
  if (amount === null) throw new RangeError(`Not a whole number of micro-dollars: ${amountUsd}`);
  return amount;
}
