import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { createCaller } from '@/server/api/trpc/caller';

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  return <DocsShell guides={await api.guides.list()}>{children}</DocsShell>;
}
