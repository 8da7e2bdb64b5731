import { StripeApiError } from '../api/errors';
import { parseForm } from '../api/form';
import type { StateDatabase } from '../state/transactions';
import { showCheckout, submitCheckout } from './checkout-page';
import { showConfirmation, submitConfirmation } from './confirm-page';
import { showPanel, submitPanel } from './control-panel';
import { renderMessage } from './layout';
import { showPortal, submitPortal } from './portal-page';

export interface PageContext {
  database: StateDatabase;
  secretKey: string;
  publicUrl: string;
}

/** Handles requests for pages. `pathname` is relative to the root of the fake. */
export async function handlePage(
  context: PageContext,
  request: Request,
  pathname: string,
): Promise<Response> {
  try {
    return await routePage(context, request, pathname);
  } catch (error) {
    if (error instanceof StripeApiError)
      return renderMessage('The action failed', error.message, null, error.status);
    throw error;
  }
}

async function routePage(context: PageContext, request: Request, pathname: string): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [, page = '', id = ''] = pathname.split('/');
  const posted = request.method === 'POST' ? parseForm(await request.text()) : null;
  if (page === 'checkout')
    return posted
      ? await submitCheckout(context, id, posted)
      : await showCheckout(context, id, searchParams.get('card'));
  if (page === 'confirm')
    return posted
      ? await submitConfirmation(context, id, posted)
      : await showConfirmation(context, id, searchParams.get('secret'));
  if (page === 'portal')
    return posted ? await submitPortal(context, id, posted) : await showPortal(context, id, searchParams);
  // The panel shows the API key.
  if (page === '' && isTrustedHost(request.headers.get('host'), context.publicUrl))
    return posted ? await submitPanel(context, posted) : await showPanel(context);
  return renderMessage('Page not found', 'This is a fake Stripe.', null, 404);
}

/**
 * Whether the Host header names this machine or the public URL. A page of another site that uses
 * DNS rebinding sends its own host name.
 */
function isTrustedHost(host: string | null, publicUrl: string): boolean {
  if (!host || !URL.canParse(`http://${host}`)) return true;
  const { hostname } = new URL(`http://${host}`);
  const trusted = ['localhost', '[::1]', new URL(publicUrl).hostname];
  return trusted.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
