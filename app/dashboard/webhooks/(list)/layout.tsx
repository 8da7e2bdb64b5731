import type { ReactNode } from 'react';
import { requireViewer } from '@/server/api/pages/require-viewer';

/** Outside the loading boundary, so that signed-out visitors get an HTTP redirect. */
export default async function Layout({ children }: { children: ReactNode }) {
  await requireViewer('/dashboard/webhooks');
  return children;
}
