import { isTrustedHost } from '../../../../kit/trusted-host';
import { StripeRefusal } from '../errors';
import { parseForm } from '../form';
import type { StandinDatabase } from '../work';
import { payCheckout, showCheckout } from './checkout-page';
import { answerConfirmation, showConfirmation } from './confirm-page';
import { changeFromPanel, showPanel } from './control-panel';
import { messagePage } from './layout';
import { changePortal, showPortal } from './portal-page';

/** What a page needs to be answered. */
export interface PageContext {
  database: StandinDatabase;
  secretKey: string;
  publicUrl: string;
}

/** Answers what a browser asks for; paths as seen under the stand-in's root. */
export async function answerPage(
  context: PageContext,
  request: Request,
  pathname: string,
): Promise<Response> {
  try {
    return await choosePage(context, request, pathname);
  } catch (error) {
    if (error instanceof StripeRefusal)
      return messagePage('This cannot be done', error.message, null, error.status);
    throw error;
  }
}

async function choosePage(context: PageContext, request: Request, pathname: string): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const [, page = '', id = ''] = pathname.split('/');
  const posted = request.method === 'POST' ? parseForm(await request.text()) : null;
  if (page === 'checkout')
    return posted
      ? await payCheckout(context, id, posted)
      : await showCheckout(context, id, searchParams.get('card'));
  if (page === 'confirm')
    return posted
      ? await answerConfirmation(context, id, posted)
      : await showConfirmation(context, id, searchParams.get('secret'));
  if (page === 'portal')
    return posted ? await changePortal(context, id, posted) : await showPortal(context, id, searchParams);
  // The panel shows the key of the API.
  if (page === '' && isTrustedHost(request.headers.get('host'), context.publicUrl))
    return posted ? await changeFromPanel(context, posted) : await showPanel(context);
  return messagePage('There is no such page', 'This is the gateway’s stand-in for Stripe.', null, 404);
}
