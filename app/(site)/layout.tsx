import type { ReactNode } from 'react';
import { SiteFooter } from '@/components/site/site-footer';
import { SiteHeader } from '@/components/site/site-header';
import { createCaller } from '@/server/api/trpc/caller';

/** Prices, ratings and who is signed in are of this moment; while the app is built there is no gateway to ask. */
export const dynamic = 'force-dynamic';

export default async function SiteLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  // Whoever cannot be looked up sees the page as a visitor does.
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
