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
          'The "Payment" HTTP scheme (draft-httpauth-payment-01). Asked with an API key, it answers 402 with a challenge for each way to pay. Sent again, the same body, with `Authorization: Payment …` and no key, it credits the account for which the challenge was issued. The same credential again gives the same answer; it is paid and credited once.',
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
