import type { ReactNode } from 'react';
import { ModeNotice } from '@/components/billing/mode-notice';
import { createCaller } from '@/server/api/trpc/caller';

/** Above every page about money: whether it is real. Who is not signed in is sent to do so by the page. */
export default async function BillingLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  const terms = await api.billing.terms().catch(() => null);
  return (
    <>
      {terms && <ModeNotice mode={terms.mode} />}
      {children}
    </>
  );
}
