import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Shell } from '@/components/shell/shell';
import { readPageToken } from '@/server/api/pages/page-token';
import { createCaller } from '@/server/api/trpc/caller';

export const metadata: Metadata = { robots: { index: false, follow: false } };

/** Only the frame. Whoever is not signed in gets none, and the page's own segment sends them to sign in and back. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  const viewer = await api.auth.viewer().catch(() => null);
  if (!viewer) return children;
  // Before the balance, as in pages: the live channel reports what has changed since.
  const token = await readPageToken();
  const balance = await api.billing.balance().catch(() => undefined);
  return (
    <Shell viewer={viewer} balance={balance} liveToken={token}>
      {children}
    </Shell>
  );
}
