import {
  accountProcedure,
  MANAGER_ERRORS,
  managerProcedure,
  openProcedure,
  router,
  sessionProcedure,
} from '../core/trpc/procedures';
import { getDayCalls, getDayStatement } from './billing/day-statement';
import { getBalance } from './billing/get-balance';
import { getStatement } from './billing/get-statement';
import {
  balanceSchema,
  checkoutInput,
  checkoutSchema,
  dayCallsInput,
  dayCallsSchema,
  dayStatementInput,
  dayStatementSchema,
  orderInput,
  orderSchema,
  paymentListInput,
  portalInput,
  portalSchema,
  preferencesInput,
  preferencesQuery,
  preferencesSchema,
  purchaseTermsSchema,
  quoteInput,
  quoteSchema,
  receiptInput,
  statementInput,
  statementSchema,
} from './billing/schema';
import { getDetails, setDetails } from './invoices/billing-details';
import {
  completeReceipt,
  getInvoicedPayments,
  getInvoicedReceipt,
  requestInvoice,
} from './invoices/request-invoice';
import {
  completeInput,
  detailsInput,
  detailsQuery,
  detailsSchema,
  invoicedPaymentListSchema,
  invoicedReceiptSchema,
  issuedSchema,
  issueInput,
} from './invoices/schema';
import { createCheckout } from './payments/create-checkout';
import { getOrder } from './payments/get-order';
import { getTerms, quotePurchase } from './payments/get-terms';
import { openPortal } from './payments/open-portal';
import { getPreferences } from './preferences/get-preferences';
import { setPreferences } from './preferences/set-preferences';
import { redeemCode } from './promos/redeem-code';
import { redeemedSchema, redeemInput } from './promos/schema';

const sessionReport = sessionProcedure.meta({ reads: 'report' });

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
    .query(({ ctx }) => getBalance(ctx.runtime, ctx.actor, ctx.hintWords)),

  checkout: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/billing/checkout',
        operationId: 'createCheckout',
        tags: ['Billing'],
        summary: 'Buy credit in a browser',
        description:
          'Creates a page on which a person pays. The account is credited when the payment completes; this request charges nothing.',
        protect: true,
      },
      rest: {
        idempotent: true,
        errors: MANAGER_ERRORS,
      },
    })
    .input(checkoutInput)
    .output(checkoutSchema)
    .mutation(({ ctx, input }) => createCheckout(ctx, input)),

  portal: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/billing/portal',
        operationId: 'openPortal',
        tags: ['Billing'],
        summary: 'Open the payment page',
        description:
          'A page on which a person sees payments and removes or replaces the saved card. The body is optional.',
        protect: true,
      },
      rest: {
        errors: MANAGER_ERRORS,
      },
    })
    .input(portalInput.default({}))
    .output(portalSchema)
    .mutation(({ ctx, input }) => openPortal(ctx, input)),

  preferences: accountProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/billing/preferences',
        operationId: 'getPreferences',
        tags: ['Billing'],
        summary: 'Get the billing preferences',
        description: 'Auto-recharge and the monthly spending limit.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'FORBIDDEN'] },
    })
    .input(preferencesQuery)
    .output(preferencesSchema)
    .query(({ ctx, input }) => getPreferences(ctx.runtime, ctx.actor, input.billing)),

  setPreferences: managerProcedure
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/billing/preferences',
        operationId: 'setPreferences',
        tags: ['Billing'],
        summary: 'Change the billing preferences',
        description: 'Changes only the given fields, all or none.',
        protect: true,
      },
      rest: {
        errors: MANAGER_ERRORS,
      },
    })
    .input(preferencesInput)
    .output(preferencesSchema)
    .mutation(({ ctx, input }) => setPreferences(ctx, input)),

  terms: openProcedure.output(purchaseTermsSchema).query(({ ctx }) => getTerms(ctx.runtime)),

  quote: openProcedure
    .input(quoteInput)
    .output(quoteSchema)
    .query(({ ctx, input }) => quotePurchase(ctx.runtime, input.amount_usd)),

  order: sessionProcedure
    .input(orderInput)
    .output(orderSchema)
    .query(({ ctx, input }) => getOrder(ctx.runtime, ctx.actor, input.order_id)),

  statement: sessionReport
    .input(statementInput)
    .output(statementSchema)
    .query(({ ctx, input }) => getStatement(ctx.runtime, ctx.actor, input)),

  dayStatement: sessionReport
    .input(dayStatementInput)
    .output(dayStatementSchema)
    .query(({ ctx, input }) => getDayStatement(ctx.runtime, ctx.actor, input)),

  dayCalls: sessionReport
    .input(dayCallsInput)
    .output(dayCallsSchema)
    .query(({ ctx, input }) => getDayCalls(ctx.runtime, ctx.actor, input)),

  details: sessionProcedure
    .input(detailsQuery)
    .output(detailsSchema)
    .query(({ ctx, input }) => getDetails(ctx, input.billing)),

  setDetails: sessionProcedure
    .input(detailsInput)
    .output(detailsSchema)
    .mutation(({ ctx, input }) => setDetails(ctx, input)),

  issueInvoice: managerProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/billing/invoices',
        operationId: 'issueInvoice',
        tags: ['Billing'],
        summary: 'Issue the invoice of a payment',
        description:
          'Issues the invoice once, with the billing details of the payment (if there were none, with those of this moment), and a credit note for refunds and lost disputes since. Repeating it issues nothing new.',
        protect: true,
      },
      rest: { errors: [...MANAGER_ERRORS, 'NOT_FOUND', 'UNAVAILABLE'] },
    })
    .input(issueInput)
    .output(issuedSchema)
    .mutation(async ({ ctx, input }) => ({ invoices: await requestInvoice(ctx, input.payment_id) })),

  receipt: sessionProcedure
    .input(receiptInput)
    .output(invoicedReceiptSchema)
    .query(({ ctx, input }) => getInvoicedReceipt(ctx, input.payment_id)),

  completeReceipt: sessionProcedure
    .input(completeInput)
    .output(invoicedReceiptSchema)
    .mutation(({ ctx, input }) => completeReceipt(ctx, input.payment_id)),

  payments: sessionProcedure
    .input(paymentListInput)
    .output(invoicedPaymentListSchema)
    .query(({ ctx, input }) => getInvoicedPayments(ctx, input)),

  redeem: sessionProcedure
    .input(redeemInput)
    .output(redeemedSchema)
    .mutation(({ ctx, input }) => redeemCode(ctx, input)),
});
