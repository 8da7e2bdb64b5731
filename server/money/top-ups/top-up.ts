import type { PayableContext } from '../../core/trpc/context';
import { payTopup } from './pay-topup';
import { requestTopup } from './request-topup';
import type { MachineTopUp, MachineTopUpResult } from './schema';

/** A machine buys credit: asked with a key it is told how to pay, asked with a payment it is credited. */
export async function topUp(context: PayableContext, input: MachineTopUp): Promise<MachineTopUpResult> {
  const { payer } = context;
  return payer.kind === 'key'
    ? await requestTopup(context, payer.actor, input)
    : await payTopup(context, payer.credential, input);
}
