import type { RawSettings, SettingProblem } from './settings';

/** How credit is sold. */
export type StripeSettings =
  | { mode: 'standin'; networkId: string }
  | {
      mode: 'test' | 'live';
      secretKey: string;
      /** Null: events are only fetched, never received. */
      webhookSecret: string | null;
      /** Null: Stripe's own. */
      apiBase: string | null;
      networkId: string | null;
    };

/** Real money and pretend money never meet in one gateway. */
export function stripeSettings(
  raw: RawSettings,
  production: boolean,
  problems: SettingProblem[],
): StripeSettings | null {
  const secretKey = raw.STRIPE_SECRET_KEY;
  const networkId = raw.STRIPE_NETWORK_ID;
  if (!secretKey) {
    for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_API_BASE'] as const)
      if (raw[name]) problems.push({ name, problem: 'needs STRIPE_SECRET_KEY too' });
    if (raw.STRIPE_STANDIN ?? !production)
      return { mode: 'standin', networkId: networkId ?? 'profile_standin' };
    return null;
  }
  const mode = /^.k_live_/.test(secretKey) ? 'live' : 'test';
  if (raw.STRIPE_STANDIN)
    problems.push({
      name: 'STRIPE_STANDIN',
      problem: 'must be 0 beside STRIPE_SECRET_KEY: pretend credit is not sold beside real',
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
        'is required in production with STRIPE_SECRET_KEY: Stripe shows it beside the webhook endpoint',
    });
  return {
    mode,
    secretKey,
    webhookSecret: raw.STRIPE_WEBHOOK_SECRET,
    apiBase: raw.STRIPE_API_BASE,
    networkId,
  };
}
