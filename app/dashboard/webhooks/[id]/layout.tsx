import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import { toGatewayError } from '@/server/core/errors/to-gateway-error';

interface LayoutProps {
  params: Promise<{ id: string }>;
  children: ReactNode;
}

/**
 * Outside the loading boundary, so that an unknown id is a 404 and a signed-out visitor is
 * redirected.
 */
export default async function Layout({ params, children }: LayoutProps) {
  const { id } = await params;
  await requireViewer(`/dashboard/webhooks/${id}`);
  const api = await createCaller();
  await api.webhooks.get({ id }).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
  return children;
}
