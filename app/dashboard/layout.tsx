import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { Shell } from '@/components/dashboard/shell';
import { createCaller } from '@/server/trpc/caller';

export const metadata: Metadata = { robots: { index: false, follow: false } };

/** Only the frame. Whoever is not signed in gets none, and the page's own segment sends them to sign in and back. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  const viewer = await api.auth.viewer().catch(() => null);
  if (!viewer) return children;
  // First where things stand: what changes while the rest is read is told again rather than not at all.
  const { token } = await api.live.token().catch(() => ({ token: '' }));
  const balance = await api.billing.balance().catch(() => undefined);
  return (
    <Shell viewer={viewer} balance={balance} liveToken={token}>
      {children}
    </Shell>
  );
}
