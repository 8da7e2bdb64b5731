import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Shell } from '@/components/shell/shell';
import { readPageToken } from '@/server/api/pages/page-token';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { robots: { index: false, follow: false } };

/**
 * Renders only the frame. Signed-out visitors get no frame; the page's own segment redirects them
 * to sign in.
 */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  const viewer = await api.auth.viewer().catch(() => null);
  if (!viewer) return children;
  // Read before the balance, as in pages: the live channel reports all changes after this token.
  const token = await readPageToken();
  const balance = await api.billing.balance().catch(() => undefined);
  return (
    <Shell viewer={viewer} balance={balance} liveToken={token}>
      {children}
    </Shell>
  );
}
