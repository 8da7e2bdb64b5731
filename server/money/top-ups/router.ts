import { MANAGER_ERRORS, payableProcedure, router } from '../../core/trpc/procedures';
import { machineTopUpInput, machineTopUpSchema } from './schema';
import { topUp } from './top-up';

export const topupsRouter = router({
  machine: payableProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/billing/machine-topup',
        operationId: 'machineTopUp',
        tags: ['Billing'],
        summary: 'Buy credit as a machine',
        description:
          'The "Payment" HTTP scheme (draft-httpauth-payment-01). A request with an API key returns 402 with a challenge for each payment method. Retry it with the same body and `Authorization: Payment …` instead of the key: this credits the account that the challenge was issued for. Sending the same credential again returns the same response; it is paid and credited once.',
        protect: true,
      },
      rest: {
        payable: true,
        idempotent: true,
        errors: [...MANAGER_ERRORS, 'RATE_LIMIT_EXCEEDED'],
      },
    })
    .input(machineTopUpInput)
    .output(machineTopUpSchema)
    .mutation(({ ctx, input }) => topUp(ctx, input)),
});
