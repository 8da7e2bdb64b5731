import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { OperatorShell } from '@/components/operator/operator-shell';
import { requireOperator } from '@/server/api/pages/require-operator';

export const metadata: Metadata = { robots: { index: false, follow: false } };

/** Outside every loading boundary, so that others than operators get an HTTP 404. */
export default async function OperatorLayout({ children }: { children: ReactNode }) {
  return <OperatorShell viewer={await requireOperator()}>{children}</OperatorShell>;
}
