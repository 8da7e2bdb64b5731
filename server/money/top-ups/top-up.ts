import type { PayableContext } from '../../core/trpc/context';
import { payTopup } from './pay-topup';
import { requestTopup } from './request-topup';
import type { MachineTopUp, MachineTopUpResult } from './schema';

/**
 * Lets a machine buy credit: a request with a key returns how to pay, one with a payment credits
 * it.
 */
export async function topUp(context: PayableContext, input: MachineTopUp): Promise<MachineTopUpResult> {
  const { payer } = context;
  return payer.kind === 'key'
    ? await requestTopup(context, payer.actor, input)
    : await payTopup(context, payer.credential, input);
}
