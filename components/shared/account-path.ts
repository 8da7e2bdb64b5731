/** The query parameter that names the account of a view. */
export const BILLING_PARAM = 'billing';

/**
 * The same path for another account: null is the personal account, which no URL names.
 * @param href a dashboard path, with or without a query
 */
export function withBilling(href: string, slug: string | null): string {
  const [path = '', query = ''] = href.split('?', 2);
  const params = new URLSearchParams(query);
  if (slug === null) params.delete(BILLING_PARAM);
  else params.set(BILLING_PARAM, slug);
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}
