import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { billingChoiceSchema, wholeCents } from '../billing/schema';

export const machineTopUpInput = strictInput({
  amount_usd: wholeCents(z.number().min(1).max(500)).describe(
    'Credit to buy, in US dollars and whole cents, 1 to 500; the fee comes on top.',
  ),
  billing: billingChoiceSchema,
}).meta({ id: 'MachineTopUpRequest', example: { amount_usd: 5 } });

export const machineTopUpSchema = z
  .looseObject({
    credited_usd: z.number().describe('Credit that came in.'),
    charged_usd: z.number().describe('What was paid: credit and fee.'),
    balance_usd: z
      .number()
      .describe('Balance of the account right after the top-up, what running calls hold included.'),
    payment_ref: z.string().describe('The payment: `pi_…`, or `sandbox_…` where nothing was really paid.'),
  })
  .meta({ id: 'MachineTopUpResult' });

/** RFC 9457, as the "Payment" scheme names its problems. */
export const paymentProblemSchema = z
  .looseObject({
    type: z.string().describe('`https://paymentauth.org/problems/…`; branch on this.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('For people; may change.'),
    challengeId: z
      .string()
      .optional()
      .describe('The first challenge in WWW-Authenticate. On every 402: it is always a fresh one.'),
  })
  .meta({ id: 'PaymentProblem', description: 'Why a payment is wanted, or was not taken.' });

export type MachineTopUp = z.infer<typeof machineTopUpInput>;
export type MachineTopUpResult = z.infer<typeof machineTopUpSchema>;
