import Stripe from 'stripe';
import type { FakeStripe } from '../fake-stripe';

/** The SDK, connected to a fake in this process. Makes no retries unless `config` says so. */
export function createSdk(
  fakeStripe: Pick<FakeStripe, 'fetch' | 'secretKey'>,
  config: Stripe.StripeConfig = {},
  onResponse?: (headers: Headers) => void,
): Stripe {
  const fetch = async (input: RequestInfo | URL, init?: RequestInit) => {
    const response = await fakeStripe.fetch(new Request(input, init));
    onResponse?.(response.headers);
    return response;
  };
  return new Stripe(fakeStripe.secretKey, {
    maxNetworkRetries: 0,
    httpClient: Stripe.createFetchHttpClient(fetch),
    ...config,
  });
}

export interface BrowsedPage {
  status: number;
  html: string;
  /** The target of a redirect. */
  location: string | null;
  headers: Headers;
}

/**
 * Opens a page of the fake, or submits its form.
 * @param url absolute, or a path relative to its root
 */
export async function browse(
  fakeStripe: Pick<FakeStripe, 'publicUrl' | 'serve'>,
  url: string,
  form?: Record<string, string>,
): Promise<BrowsedPage> {
  const { publicUrl } = fakeStripe;
  const target = url.startsWith(publicUrl) ? url.slice(publicUrl.length) || '/' : url;
  const response = await fakeStripe.serve(
    new Request(new URL(target, publicUrl), {
      method: form ? 'POST' : 'GET',
      ...(form && {
        body: new URLSearchParams(form),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      }),
    }),
  );
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
    headers: response.headers,
  };
}

/** The value of a form field. @throws if the page has no such field */
export function readField(html: string, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1];
  if (value === undefined) throw new Error(`The page has no field "${name}".`);
  return value;
}

/** Pays a checkout session on its page; by default with a card that succeeds. */
export async function pay(
  fakeStripe: Pick<FakeStripe, 'publicUrl' | 'serve'>,
  url: string | null,
  fields: Record<string, string> = {},
): Promise<BrowsedPage> {
  const [page] = await payConcurrently(fakeStripe, url, 1, fields);
  if (!page) throw new Error('The form was not submitted.');
  return page;
}

/** Opens the page once and submits its form several times concurrently. */
export async function payConcurrently(
  fakeStripe: Pick<FakeStripe, 'publicUrl' | 'serve'>,
  url: string | null,
  times: number,
  fields: Record<string, string> = {},
): Promise<BrowsedPage[]> {
  const { html } = await browse(fakeStripe, url ?? '');
  const form = {
    nonce: readField(html, 'nonce'),
    means: 'card',
    email: 'pat@example.test',
    number: '4242 4242 4242 4242',
    expiry: '12/34',
    cvc: '123',
    name: 'Test Customer',
    ...fields,
  };
  return await Promise.all(Array.from({ length: times }, () => browse(fakeStripe, url ?? '', form)));
}
