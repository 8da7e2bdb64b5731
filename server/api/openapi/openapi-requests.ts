import { PROVIDERS, type Provider } from '../../platform/settings/providers';
import type { Route } from '../http/routes';

type Json = Record<string, unknown>;

/** Request headers besides Authorization, for routes that honour them. */
const PARAMETERS: Record<
  'prefer' | 'idempotent',
  { name: string; description: string; schema: Json; example: string }
> = {
  idempotent: {
    name: 'Idempotency-Key',
    description:
      'Any string that identifies this request. For 24 hours, a request with the same key and body returns the first response instead of running again: use it to retry after a lost connection.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  },
  prefer: {
    name: 'Prefer',
    description:
      '`wait=N`: wait at most N seconds, 0 to 30, for the result; `respond-async`: do not wait (RFC 7240); `receipt`: add a signed receipt to each successful result.',
    schema: { type: 'string' },
    example: 'wait=10',
  },
};

/** Headers that carry a client's own provider keys, for the document's components. */
export const PROVIDER_KEY_PARAMETERS: Record<string, Json> = Object.fromEntries(
  Object.entries<Provider>(PROVIDERS).map(([slot, { displayName, acquireUrl }]) => [
    `ProviderKey_${slot}`,
    {
      in: 'header',
      required: false,
      name: `X-Provider-Key-${slot}`,
      description: `Your own key for ${displayName} (${acquireUrl}), for this request only: takes precedence over a saved key, is sent only to ${displayName}, and is never stored or logged. A call that uses it costs 5% of its price. Ignored by skills without ${slot} in their requirements.`,
      schema: { type: 'string', minLength: 8, maxLength: 512 },
    },
  ]),
);

/** The header parameters of a route. */
export function headerParameters({ rest }: Route): Json[] {
  const wanted = (['idempotent', 'prefer'] as const).filter((name) => rest[name]);
  const named = wanted.map((name) => ({ in: 'header', required: false, ...PARAMETERS[name] }));
  const keys = rest.providerKeys ? Object.keys(PROVIDER_KEY_PARAMETERS) : [];
  return [...named, ...keys.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}
