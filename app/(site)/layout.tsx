import type { ReactNode } from 'react';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { createCaller } from '@/server/api/trpc/caller';

/** Prices, ratings and the session are read per request; there is no gateway at build time. */
export const dynamic = 'force-dynamic';

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  // If the viewer cannot be read, render the page as for a visitor.
  const signedIn = await api.auth.viewer().then(
    () => true,
    () => false,
  );
  return (
    <div className="flex min-h-dvh flex-col">
      <SiteHeader signedIn={signedIn} />
      <main id="main" className="flex-1">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}
