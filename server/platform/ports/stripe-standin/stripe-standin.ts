import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '@/db/client';
import type { Logger } from '../../../kit/log';
import { answerApi } from './api';
import { type Deliver, Deliveries } from './deliveries';
import { ConnectionCut } from './errors';
import { answerPage } from './pages/pages';
import { type Pause, StandinDatabase } from './work';

/**
 * A stand-in for Stripe that sells pretend credit: the part of Stripe's API that the gateway uses, hosted pages, and
 * signed webhooks that are sent again until they are taken. Its state is in PostgreSQL (schema `stripe_standin`, made on
 * first use), so that it survives restarts and several processes of a gateway are one Stripe.
 *
 * Cards are chosen by number on its pages and by id in its API, as in Stripe's test mode: `test-cards.ts` lists them.
 * Two exist only here. `pm_card_cutAfterCharge` (4000 0000 0000 7777): its first charge without its owner, or by a
 * shared payment token, is made, and then the connection is cut; the request sent again with its Idempotency-Key is
 * answered. `pm_card_slow` (4000 0000 0000 8888): every answer to a request that names it takes two seconds.
 *
 * Beside Stripe's own test helpers it has `POST /v1/test_helpers/disputes` (`payment_intent` or `charge`, `amount`,
 * `inquiry`), `…/disputes/:id/win`, `…/disputes/:id/lose` and `…/refunds/:id/fail`.
 */
export interface StripeStandin {
  /** Test-looking key the SDK must use. */
  readonly secretKey: string;
  readonly webhookSecret: string;
  /**
   * Answers API requests (`/v1/…`) and hosted pages; paths as seen under its root. For callers in this process.
   * @throws TypeError as a broken connection does, where the card says so
   */
  fetch(request: Request): Promise<Response>;
  /** The same for requests from outside: the API and the control panel only where `openApi` allows them. */
  serve(request: Request): Promise<Response>;
  /** Delivers events that wait, until closed. */
  start(): void;
  close(): Promise<void>;
}

interface StandinOptions {
  sql: Sql;
  /** Where its hosted pages are, e.g. `http://localhost:3000/stripe-standin`. */
  publicUrl: string;
  /** Posts an event to the gateway's webhook. */
  deliver: Deliver;
  log: Logger;
  /** Whether others may use the API and the control panel over HTTP: only where nobody else reaches this machine. */
  openApi?: boolean;
  /** A secret of the gateway's data folder: both keys are made from it. Without it they are new in every process. */
  secret?: string;
  /** For tests: how a slow card waits. */
  pause?: Pause;
}

const FLUSH_MS = 50;

export function createStripeStandin(options: StandinOptions): StripeStandin {
  const { sql, publicUrl, deliver, log, openApi = false } = options;
  const secret = options.secret ?? randomBytes(32).toString('base64');
  const secretKey = `sk_test_standin${derive(secret, 'secret key')}`;
  const webhookSecret = `whsec_${derive(secret, 'webhook secret')}`;
  const database = new StandinDatabase(sql, publicUrl, () => deliveries.kick(), options.pause);
  const deliveries = new Deliveries({ database, webhookSecret, deliver, log });

  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    try {
      if (pathname.startsWith('/v1/')) return await answerApi(database, secretKey, request, pathname);
      return await answerPage({ database, secretKey, publicUrl }, request, pathname);
    } catch (error) {
      if (error instanceof ConnectionCut) throw error;
      log.error('the stand-in for Stripe failed', { error, path: pathname });
      const body = { error: { type: 'api_error', message: 'The stand-in for Stripe failed.' } };
      return Response.json(body, { status: 500 });
    }
  };
  return {
    secretKey,
    webhookSecret,
    fetch: answer,
    async serve(request) {
      const { pathname } = new URL(request.url);
      const hosted = /^\/(checkout|confirm|portal)\//.test(pathname);
      if (!hosted && !openApi) return new Response('Not found', { status: 404 });
      return await answer(request).catch(breakOff);
    },
    start: () => deliveries.start(),
    close: () => deliveries.close(),
  };
}

/** A broken connection as a client elsewhere sees it: an answer that begins and never ends. */
function breakOff(reason: unknown): Response {
  if (!(reason instanceof ConnectionCut)) throw reason;
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    async pull(controller) {
      // Next makes a 500 of what fails before its first byte is out.
      await wait(FLUSH_MS);
      controller.error(reason);
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'application/json' } });
}

/** One key for one purpose, from which the secret cannot be had. */
function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(`stripe-standin ${purpose}`).digest('hex').slice(0, 40);
}
