import { accountProcedure, router } from '../trpc/procedures';
import { getBalance } from './get-balance';
import { balanceSchema } from './schema';

export const billingRouter = router({
  balance: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/billing/balance',
        operationId: 'getBalance',
        tags: ['Billing'],
        summary: 'Get the balance',
        description: 'What this key can spend, and the accounts it may charge.',
        protect: true,
      },
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED', 'FORBIDDEN'] },
    })
    .output(balanceSchema)
    .query(({ ctx }) => getBalance(ctx.runtime, ctx.actor)),
});
