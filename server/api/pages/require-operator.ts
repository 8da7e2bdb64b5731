import 'server-only';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { toGatewayError } from '../../core/trpc/format-error';
import type { Viewer } from '../../identity/accounts/schema';
import { createCaller } from '../trpc/caller';

/** Once a page: its layout, its title and itself ask. */
const findOperatorViewer = cache(async (): Promise<Viewer | null> => {
  const api = await createCaller();
  const viewer = await api.auth.viewer().catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED') return null;
    throw error;
  });
  return viewer?.operator ? viewer : null;
});

/** The operator who asks; for everyone else there is no such page. */
export async function requireOperator(): Promise<Viewer> {
  return (await findOperatorViewer()) ?? notFound();
}

/** The title of a page of the operator's, as its `generateMetadata`; for everyone else that of a page that is none. */
export function operatorTitle(title: string): () => Promise<Metadata> {
  return async () => ({ title: (await findOperatorViewer()) ? title : 'Not found' });
}
