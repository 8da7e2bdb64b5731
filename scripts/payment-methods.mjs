// Payment methods of the mppx library for machine top-ups: for pay-topup.mjs, mppx.config.mjs,
// tests.
import { createHmac } from 'node:crypto';
import { Credential, Method, z } from 'mppx';
import { stripe } from 'mppx/stripe/client';

/**
 * Public: its proofs cost nothing, and only gateways with MACHINE_PAYMENTS_SANDBOX=1 accept them.
 */
const SANDBOX_SECRET = 'sandbox';

/** Creates the sandbox method, which pays with a free proof. */
export function sandbox() {
  const charge = Method.from({
    name: 'sandbox',
    intent: 'charge',
    schema: {
      credential: { payload: z.object({ proof: z.string() }) },
      request: z.object({ amount: z.string(), currency: z.string() }),
    },
  });
  return Method.toClient(charge, {
    async createCredential({ challenge }) {
      const proof = createHmac('sha256', SANDBOX_SECRET).update(challenge.id).digest('hex');
      return Credential.serialize({ challenge, payload: { proof } });
    },
  });
}

/**
 * Creates the Stripe method with a test card, by a shared payment token as in Stripe's test mode. A
 * real agent gets its tokens from the provider that stores the card.
 * @param {{ api: string, secretKey: string, card?: string | undefined, fetch?: typeof
 *   globalThis.fetch }} options
 */
export function testCard({ api, secretKey, card = 'pm_card_visa', fetch = globalThis.fetch }) {
  return stripe.charge({
    paymentMethod: card,
    async createToken({ amount, currency, expiresAt, networkId, paymentMethod }) {
      const response = await fetch(`${api}/v1/test_helpers/shared_payment/granted_tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secretKey}` },
        body: new URLSearchParams({
          payment_method: paymentMethod ?? card,
          'usage_limits[currency]': currency,
          'usage_limits[max_amount]': amount,
          'usage_limits[expires_at]': String(expiresAt),
          ...(networkId ? { 'seller_details[network_id]': networkId } : {}),
        }),
      });
      const token = await response.json();
      if (!response.ok) throw new Error(`No token was granted: ${token.error?.message ?? response.status}`);
      return token.id;
    },
  });
}

/**
 * Finds the fake Stripe of a local gateway; its control panel shows the key. Null if it has none.
 * @param {string} gatewayUrl
 * @returns {Promise<{ api: string, secretKey: string } | null>}
 */
export async function findFakeStripe(gatewayUrl) {
  const api = `${gatewayUrl}/fake-stripe`;
  const panel = await fetch(api);
  const [secretKey] = /sk_test_fake[0-9a-f]+/.exec(await panel.text()) ?? [];
  return secretKey ? { api, secretKey } : null;
}
