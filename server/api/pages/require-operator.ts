import 'server-only';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { Viewer } from '../../identity/accounts/schema';
import { createCaller } from '../trpc/caller';
import { redirectIfFactorDue } from './redirect-if-factor-due';

/** Cached per request: the layout, the title and the page all need it. */
const findOperatorViewer = cache(async (): Promise<Viewer | null> => {
  const api = await createCaller();
  const viewer = await api.auth.viewer().catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED') return null;
    throw error;
  });
  return viewer?.operator ? viewer : null;
});

/** Returns the signed-in operator; for everyone else the page is a 404. */
export async function requireOperator(): Promise<Viewer> {
  const viewer = await findOperatorViewer();
  if (!viewer) await redirectIfFactorDue('/operator');
  return viewer ?? notFound();
}

/** `generateMetadata` of an operator page; for everyone else the title of a missing page. */
export function operatorTitle(title: string): () => Promise<Metadata> {
  return async () => ({ title: (await findOperatorViewer()) ? title : 'Not found' });
}
