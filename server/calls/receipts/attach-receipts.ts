import type { CallEvent, KeyContext } from '../../core/trpc/context';
import type { Job } from '../jobs/schema';
import type { CallResult } from '../result/schema';
import type { BatchResult } from '../schema';
import { getKeyScope } from './get-receipt';
import { signReceipt } from './sign-receipt';
import { findCharges } from './store';

const HEADER = 'Gateway-Receipt';

/**
 * Adds the receipt to the result of a call, as `receipt` and in the header. A result without one,
 * such as a job that still runs, stays as it is.
 */
export async function addReceipt(context: KeyContext, result: CallResult): Promise<CallResult> {
  if (context.reply.events) {
    context.reply.events = addReceiptToEvents(context, context.reply.events);
    reportApplied(context);
    return result;
  }
  const [receipted = result] = await addReceipts(context, [result]);
  if (receipted.receipt !== undefined) context.reply.headers[HEADER] = receipted.receipt;
  return receipted;
}

/** Adds receipts to the results of a batch; each result that has one has `receipt`. */
export async function addBatchReceipts(context: KeyContext, batch: BatchResult): Promise<BatchResult> {
  return { ...batch, results: await addReceipts(context, batch.results) };
}

/** Adds the receipt to the result of a completed job. */
export async function addJobReceipt(context: KeyContext, job: Job): Promise<Job> {
  return job.result ? { ...job, result: await addReceipt(context, job.result) } : job;
}

async function* addReceiptToEvents(
  context: KeyContext,
  events: AsyncIterable<CallEvent>,
): AsyncGenerator<CallEvent> {
  for await (const event of events) {
    if (event.event !== 'result') yield event;
    else {
      const [result = event.data] = await addReceipts(context, [event.data as CallResult]);
      yield { ...event, data: result };
    }
  }
}

/**
 * The calls are already charged, so a failure to sign must not hide their results: it is logged,
 * and the client gets the receipt from the usage route.
 */
async function addReceipts(context: KeyContext, results: readonly CallResult[]): Promise<CallResult[]> {
  try {
    const signed = await signAll(context, results);
    if (signed.size > 0) reportApplied(context);
    return results.map((result) => {
      const receipt = result.id === null ? undefined : signed.get(result.id);
      return receipt === undefined ? result : { ...result, receipt };
    });
  } catch (error) {
    context.runtime.log.error('receipt.failed', { requestId: context.requestId, error });
    return [...results];
  }
}

async function signAll(
  { runtime, actor }: KeyContext,
  results: readonly CallResult[],
): Promise<Map<string, string>> {
  const outputs = new Map(
    results.flatMap(({ id, status, output }) =>
      id === null || status !== 'success' ? [] : [[id, output] as const],
    ),
  );
  if (outputs.size === 0) return new Map();
  const charges = await findCharges(runtime.db, getKeyScope(actor), [...outputs.keys()]);
  const receipts = await Promise.all(
    charges.map((charge) => signReceipt(runtime, charge, outputs.get(charge.id))),
  );
  return new Map(receipts.map(({ receipt, claims }) => [claims.jti, receipt]));
}

/** RFC 7240 section 3: the response names the preferences that were honoured. */
function reportApplied({ reply: { headers } }: KeyContext): void {
  const others = headers['Preference-Applied'];
  headers['Preference-Applied'] = others === undefined ? 'receipt' : `${others}, receipt`;
}
