import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { readKeyPage } from '@/server/api/pages/read-key-page';
import { requireViewer } from '@/server/api/pages/require-viewer';
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
  await requireViewer(`/dashboard/keys/${id}`);
  await readKeyPage(id).catch((error: unknown) => {
    const { code } = toGatewayError(error);
    if (code === 'NOT_FOUND' || code === 'INVALID_INPUT') notFound();
    throw error;
  });
  return children;
}
