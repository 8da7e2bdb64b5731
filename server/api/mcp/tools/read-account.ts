import { z } from 'zod';
import { receiptInput } from '../../../calls/receipts/schema';
import { strictInput } from '../../../kit/strict-input';
import { usageInput } from '../../../usage/schema';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';

const DEFAULT_RECORDS = 50;
const MAX_RECORDS = 500;

/** The key, its account and its limits. */
export const getAccount = defineMcpTool({
  name: 'get_account',
  title: 'Get the account',
  description:
    'Who this key is: its rules and account, the calls left in each rate limit, and what it may still spend and store.',
  input: strictInput({}),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call) {
    return buildResult(call, await invokeProcedure(call, 'auth.me', undefined));
  },
});

/** The signed receipt of a past call. */
export const getReceipt = defineMcpTool({
  name: 'get_receipt',
  title: 'Get a receipt',
  description:
    'The signed proof (JWS) of what a past call was charged, and its claims. It hashes the output only of jobs; for other calls, set receipt in call_tool.',
  input: strictInput(receiptInput.shape),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { call_id }) {
    return buildResult(call, await invokeProcedure(call, 'receipts.get', { call_id }));
  },
});

/** The balance of the key. */
export const getBalance = defineMcpTool({
  name: 'get_balance',
  title: 'Get the balance',
  description: 'What this key can spend, in US dollars, the accounts it may charge, and how to add credit.',
  input: strictInput({}),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call) {
    return buildResult(call, await invokeProcedure(call, 'billing.balance', undefined));
  },
});

/** Usage as totals or as single calls. */
export const getUsage = defineMcpTool({
  name: 'get_usage',
  title: 'Get usage',
  description:
    'What was called and what it cost. view summary totals a period by tool, key and time; view history lists single calls, newest first, in pages.',
  input: strictInput({
    view: z.enum(['summary', 'history']).default('summary'),
    period: usageInput.shape.period.describe(
      'For the summary: the last 24 hours, 7 or 30 days, or everything.',
    ),
    key_id: usageInput.shape.key_id,
    tag: usageInput.shape.tag,
    call_id: z.string().optional().describe('Why one call failed.'),
    limit: z.int().min(1).max(MAX_RECORDS).default(DEFAULT_RECORDS).describe('For the history.'),
    cursor: z.string().min(1).max(200).optional().describe('next_cursor of the previous page.'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, { view, period, key_id, tag, call_id, limit, cursor }) {
    if (call_id !== undefined)
      return buildResult(call, await invokeProcedure(call, 'usage.record', { call_id }));
    const usage =
      view === 'summary'
        ? await invokeProcedure(call, 'usage.summary', { period, key_id, tag })
        : await invokeProcedure(call, 'usage.history', { key_id, tag, limit: String(limit), cursor });
    return buildResult(call, usage);
  },
});
