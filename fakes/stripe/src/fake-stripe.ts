import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ConnectionCut } from './api/errors';
import { handleApi } from './api/handle-api';
import { handlePage } from './pages/pages';
import { StateDatabase } from './state/transactions';
import type { DeliverEvent, Logger, Pause, Sql } from './types';
import { Deliveries } from './webhooks/deliveries';

/**
 * A fake Stripe: part of Stripe's API, its hosted pages, and signed webhooks with retries. The
 * state is in PostgreSQL (schema `fake_stripe`, created on first use): it survives restarts, and
 * all processes on one database are one Stripe.
 *
 * Test cards are chosen by number on the pages and by id in the API, as in Stripe's test mode
 * (`test-cards.ts`). Two exist only here. `pm_card_cutAfterCharge` (4000 0000 0000 7777): its first
 * off-session charge, or charge of a shared payment token, succeeds, then the connection drops; a
 * retry with the same Idempotency-Key gets the response. `pm_card_slow` (4000 0000 0000 8888): each
 * request that names it takes two seconds.
 *
 * Besides Stripe's test helpers it has `POST /v1/test_helpers/disputes` (`payment_intent` or
 * `charge`, `amount`, `inquiry`), `…/disputes/:id/win`, `…/disputes/:id/lose` and
 * `…/refunds/:id/fail`.
 */
export interface FakeStripe {
  readonly publicUrl: string;
  /** The API key for the SDK, `sk_test_…`. */
  readonly secretKey: string;
  readonly webhookSecret: string;
  /**
   * Handles API requests (`/v1/…`) and hosted pages from the same process. Paths are relative to
   * its root.
   * @throws ConnectionCut, a TypeError like that of `fetch`, if the test card drops the connection
   */
  fetch(request: Request): Promise<Response>;
  /** The same for requests from the network: the API and the control panel need `openApi`. */
  serve(request: Request): Promise<Response>;
  /** Delivers events until `close`. */
  start(): void;
  close(): Promise<void>;
}

export interface FakeStripeOptions {
  /** A pool of postgres.js. Its user must be allowed to create a schema. */
  sql: Sql;
  /** Public URL of its root, e.g. `http://localhost:3000/stripe`. */
  publicUrl: string;
  deliver: DeliverEvent;
  log: Logger;
  /**
   * Opens the API and the control panel to `serve`. The panel needs no password: only where nobody
   * else can reach it. False by default.
   */
  openApi?: boolean;
  /** Both keys are derived from it. By default it is random, so keys change with each process. */
  secret?: string;
  /** For tests: replaces the wait of a slow card. */
  pause?: Pause;
}

const FLUSH_MS = 50;

export function createFakeStripe(options: FakeStripeOptions): FakeStripe {
  const { sql, publicUrl, deliver, log, openApi = false } = options;
  const secret = options.secret ?? randomBytes(32).toString('base64');
  const secretKey = `sk_test_fake${deriveKey(secret, 'secret key')}`;
  const webhookSecret = `whsec_${deriveKey(secret, 'webhook secret')}`;
  const database = new StateDatabase(sql, publicUrl, () => deliveries.poll(), options.pause);
  const deliveries = new Deliveries({ database, webhookSecret, deliver, log });

  const handle = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    try {
      if (pathname.startsWith('/v1/')) return await handleApi(database, secretKey, request, pathname);
      return await handlePage({ database, secretKey, publicUrl }, request, pathname);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      log.error('fake_stripe.request_failed', { error, path: pathname });
      const body = { error: { type: 'api_error', message: 'The fake Stripe failed: see its log.' } };
      return Response.json(body, { status: 500 });
    }
  };
  return {
    publicUrl,
    secretKey,
    webhookSecret,
    fetch: handle,
    async serve(request) {
      const { pathname } = new URL(request.url);
      const isHostedPage = /^\/(checkout|confirm|portal)\//.test(pathname);
      if (!isHostedPage && !openApi) return new Response('Not found', { status: 404 });
      return await handle(request).catch(abortResponse);
    },
    start: () => deliveries.start(),
    close: () => deliveries.close(),
  };
}

/** A dropped connection as a remote client sees it: a response that starts and never completes. */
function abortResponse(reason: unknown): Response {
  if (!(reason instanceof ConnectionCut)) throw reason;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    async pull(controller) {
      // Next responds 500 if a stream fails before its first byte is sent.
      await wait(FLUSH_MS);
      controller.error(reason);
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

/** One key for each purpose; none reveals the secret. */
function deriveKey(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`fake-stripe ${purpose}`).digest('hex').slice(0, 40);
}
