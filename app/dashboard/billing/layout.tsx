import type { ReactNode } from 'react';
import { ModeNotice } from '@/components/billing/mode-notice';
import { createCaller } from '@/server/api/trpc/caller';

/** Shows the test-mode notice above all billing pages. The pages redirect signed-out visitors. */
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
