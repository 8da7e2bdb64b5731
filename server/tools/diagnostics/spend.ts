import { z } from 'zod';
import { formatUsd, type Microusd, microusdFromUsd } from '../../billing/money';
import { type Cost, defineSkill, type Price } from '../define-tool';

const MIN_AMOUNT_USD = 0.000001;
const MAX_AMOUNT_USD = 1;

const input = z.object({
  amount_usd: z
    .number()
    .min(MIN_AMOUNT_USD)
    .max(MAX_AMOUNT_USD)
    .refine((usd) => microusdFromUsd(usd) !== null, 'amount_usd may have at most six decimals.')
    .describe('What this call shall cost, in US dollars: from 0.000001 to 1, at most six decimals.'),
});

/** The price is the input: the one skill with which every amount of the ledger can be produced. */
const chosenByCaller: Price<z.infer<typeof input>, undefined> = {
  free: false,
  platformFeeMicrousd: 1n,
  providerCostMicrousd: 0n,
  unit: 'call; you choose the amount, shown is the least',
  quote: (call) => costOf(call.amount_usd),
  settle: (call) => costOf(call.amount_usd),
};

const output = z.object({
  amount_usd: z.number().describe('The amount charged, in US dollars.'),
  note: z.string().describe('One sentence that says what was charged.'),
});

export const spend = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'spend',
  displayName: 'Spend',
  description:
    'A paid call that costs exactly the amount you choose, from a millionth of a dollar to one dollar, and does nothing else. Use it to test billing, balance, budgets, spending limits and receipts with small real charges.',
  input,
  output,
  returns: 'The amount charged and a note about it.',
  examples: [
    { description: 'Spend a tenth of a cent', input: { amount_usd: 0.001 } },
    { description: 'Spend the smallest amount there is', input: { amount_usd: 0.000001 } },
  ],
  price: chosenByCaller,
  // Not idempotent: each repetition costs again.
  annotations: { readOnly: true, idempotent: false, destructive: false, estimatedSeconds: 0.01 },
  run: async (context) => ({
    output: {
      amount_usd: context.input.amount_usd,
      note: `This call costs ${formatUsd(chosenAmount(context.input.amount_usd))}.`,
    },
  }),
});

function costOf(amountUsd: number): Cost {
  return { platformFee: chosenAmount(amountUsd), providerCost: 0n };
}

/** Throws a RangeError for what the input schema refuses: an amount that is no whole number of micro-dollars. */
function chosenAmount(amountUsd: number): Microusd {
  const amount = microusdFromUsd(amountUsd);
  if (amount === null) throw new RangeError(`Not a whole number of micro-dollars: ${amountUsd}`);
  return amount;
}
