import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { billingChoiceSchema, wholeCents } from '../billing/schema';

export const machineTopUpInput = strictInput({
  amount_usd: wholeCents(z.number().min(1).max(500)).describe(
    'Credit to buy, in US dollars and whole cents, 1 to 500; the fee is added.',
  ),
  billing: billingChoiceSchema,
}).meta({ id: 'MachineTopUpRequest', example: { amount_usd: 5 } });

export const machineTopUpSchema = z
  .looseObject({
    credited_usd: z.number().describe('The credit added.'),
    charged_usd: z.number().describe('The amount charged: credit plus fee.'),
    balance_usd: z
      .number()
      .describe('The account balance right after the top-up, including what running calls hold.'),
    payment_ref: z.string().describe('The payment: `pi_…`, or `sandbox_…` for a simulated payment.'),
  })
  .meta({ id: 'MachineTopUpResult' });

/** RFC 9457 problem details, with the types of the "Payment" scheme. */
export const paymentProblemSchema = z
  .looseObject({
    type: z.string().describe('`https://paymentauth.org/problems/…`; branch on this.'),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('For people; may change.'),
    challengeId: z
      .string()
      .optional()
      .describe('The first challenge in WWW-Authenticate. On every 402; always a fresh one.'),
  })
  .meta({ id: 'PaymentProblem', description: 'Why a payment is required or was refused.' });

export type MachineTopUp = z.infer<typeof machineTopUpInput>;
export type MachineTopUpResult = z.infer<typeof machineTopUpSchema>;
