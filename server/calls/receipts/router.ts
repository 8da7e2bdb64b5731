import { accountProcedure, openProcedure, router } from '../../core/trpc/procedures';
import { getReceipt, listReceiptKeys } from './get-receipt';
import { receiptInput, receiptKeysSchema, receiptSchema } from './schema';

export const receiptsRouter = router({
  get: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/usage/{call_id}/receipt',
        operationId: 'getReceipt',
        tags: ['Usage'],
        summary: 'Get the receipt of a call',
        description:
          'Signs what a successful call was charged, as a JWS. Its output_sha256 is null if the gateway does not store the output: to have it, send Prefer: receipt with the call.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'NOT_FOUND'] },
    })
    .input(receiptInput)
    .output(receiptSchema)
    .query(({ ctx, input }) => getReceipt(ctx.runtime, ctx.actor, input.call_id)),

  keys: openProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/.well-known/jwks.json',
        operationId: 'listReceiptKeys',
        tags: ['Usage'],
        summary: 'List the keys that sign receipts',
        description:
          'The public keys as a JWK Set (RFC 7517), retired ones included. Fetch it again for an unknown kid.',
      },
      rest: { discovery: true, errors: [] },
    })
    .output(receiptKeysSchema)
    .query(({ ctx }) => listReceiptKeys(ctx.runtime)),
});
