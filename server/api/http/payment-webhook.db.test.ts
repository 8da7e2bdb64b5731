import { afterAll, beforeAll, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { ForgedEvent } from '../../platform/ports/ports';
import { handlePaymentWebhook } from './payment-webhook';

/** Throws `thrown` when an event is read; by default, events are forged. */
class ThrowingPayments extends FakePayments {
  thrown: Error = new ForgedEvent('The event is not signed');
  override readEvent(): never {
    throw this.thrown;
  }
}

const payments = new ThrowingPayments();
let selling: Harness;
let plain: Harness;
beforeAll(async () => {
  selling = await startHarness({ role: 'web', ports: { payments } });
  plain = await startHarness({ role: 'web', peer: selling });
});
afterAll(async () => {
  await plain.close();
  await selling.close();
});

async function send(harness: Harness, body: BodyInit = '{}') {
  const url = 'http://gateway.test/api/stripe/webhook';
  // A chunked body does not announce its length.
  const request = new Request(url, { method: 'POST', body, ...{ duplex: 'half' } });
  const response = await handlePaymentWebhook(request, harness.runtime);
  const text = await response.text();
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  const answered = JSON.parse(text);
  expect(answered).toMatchObject({
    status: 'error',
    error: {
      message: expect.any(String),
      resolution_hint: expect.any(String),
      request_id: response.headers.get('x-request-id'),
    },
  });
  const retry = response.headers.get('retry-after');
  return { status: response.status, code: answered.error.code, type: answered.error.type, retry, text };
}

function inPieces(pieces: number, fails = false): ReadableStream {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent++ < pieces) controller.enqueue(new Uint8Array(64 * 1024));
      else if (fails) controller.error(new Error('gone'));
      else controller.close();
    },
  });
}

it('answers refused events in the Error shape, with a hint', async () => {
  expect(await send(plain)).toMatchObject({ status: 404, code: 'NOT_FOUND', type: 'not_found' });
  expect(await send(selling)).toMatchObject({ status: 400, code: 'INVALID_INPUT', type: 'validation' });
  expect(await send(selling, inPieces(9))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' });
  expect(await send(selling, inPieces(2, true))).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
});

it('reports and logs an event that could not be applied, without the reason @D10', async () => {
  payments.thrown = new PaymentsUnavailable('the provider at 10.1.2.3 does not answer');
  expect(await send(selling)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retry: '5' });
  payments.thrown = new Error('duplicate key value of postgres://user:hunter2@host');
  const failed = await send(selling);
  expect(failed).toMatchObject({ status: 500, code: 'INTERNAL' });
  expect(failed.text).not.toMatch(/hunter2|duplicate key/);
  expect(selling.log.filter((line) => line.includes('payment_event.apply_failed'))).toHaveLength(2);
});
