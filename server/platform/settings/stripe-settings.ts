import { z } from 'zod';
import { booleanFlag, define, origin } from './setting-schemas';
import type { RawSettings, SettingProblem } from './settings';

/** Settings of the payment provider. */
export const STRIPE_SETTINGS = {
  STRIPE_SECRET_KEY: define(
    z
      .string()
      .regex(/^(sk|rk)_(test|live)_[A-Za-z0-9_]+$/, 'must be a secret or restricted key, such as sk_test_…'),
    null,
    'Sells credit through Stripe. Without it, a local start runs in test mode, with a built-in fake of Stripe.',
    { secret: true },
  ),
  STRIPE_WEBHOOK_SECRET: define(
    z.string().regex(/^whsec_\S+$/, 'must be the signing secret of the webhook endpoint: whsec_…'),
    null,
    "Signing secret of Stripe's webhook endpoint BASE_URL/api/stripe/webhook. Required with STRIPE_SECRET_KEY in production.",
    { secret: true },
  ),
  STRIPE_API_BASE: define(
    origin,
    null,
    'Base URL of the Stripe API, for tests against another server. Refused with a live key.',
    { defaultNote: 'https://api.stripe.com' },
  ),
  STRIPE_FAKE: define(
    booleanFlag,
    null,
    'Test mode: a built-in fake of Stripe simulates payments. Not allowed together with STRIPE_SECRET_KEY.',
    { defaultNote: '1 in a local start without STRIPE_SECRET_KEY, otherwise 0' },
  ),
  STRIPE_NETWORK_ID: define(
    z.string().regex(/^profile_[A-Za-z0-9_]+$/, 'must be the id of a Stripe profile: profile_…'),
    null,
    'Stripe profile to which agents grant shared payment tokens; enables machine top-ups by card.',
    { defaultNote: 'profile_fake in test mode' },
  ),
};

/** How credit is sold. */
export type StripeSettings =
  | { mode: 'fake'; networkId: string }
  | {
      mode: 'test' | 'live';
      secretKey: string;
      /** Null if events are only fetched, never received. */
      webhookSecret: string | null;
      /** Null for Stripe's own URL. */
      apiBase: string | null;
      networkId: string | null;
    };

/** Builds the payment settings. One gateway never mixes real payments and test mode. */
export function buildStripeSettings(
  raw: RawSettings,
  production: boolean,
  problems: SettingProblem[],
): StripeSettings | null {
  const secretKey = raw.STRIPE_SECRET_KEY;
  const networkId = raw.STRIPE_NETWORK_ID;
  if (!secretKey) {
    for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'] as const)
      if (raw[name]) problems.push({ name, problem: 'requires STRIPE_SECRET_KEY' });
    if (raw.STRIPE_FAKE ?? !production) return { mode: 'fake', networkId: networkId ?? 'profile_fake' };
    return null;
  }
  const mode = /^.k_live_/.test(secretKey) ? 'live' : 'test';
  if (raw.STRIPE_FAKE)
    problems.push({
      name: 'STRIPE_FAKE',
      problem: 'must be 0 with STRIPE_SECRET_KEY: test mode and real payments cannot be combined',
    });
  if (mode === 'live') {
    if (raw.STRIPE_API_BASE)
      problems.push({ name: 'STRIPE_API_BASE', problem: 'must not be set with a live key' });
    if (raw.MACHINE_PAYMENTS_SANDBOX)
      problems.push({ name: 'MACHINE_PAYMENTS_SANDBOX', problem: 'must be 0 with a live key' });
  }
  if (production && !raw.STRIPE_WEBHOOK_SECRET)
    problems.push({
      name: 'STRIPE_WEBHOOK_SECRET',
      problem:
        'is required in production with STRIPE_SECRET_KEY: Stripe shows it on the page of the webhook endpoint',
    });
  return {
    mode,
    secretKey,
    webhookSecret: raw.STRIPE_WEBHOOK_SECRET,
    apiBase: raw.STRIPE_API_BASE,
    networkId,
  };
}
