import type { ReactNode } from 'react';
import { DocsShell } from '@/components/docs/docs-shell';
import { ProvisioningNote } from '@/components/docs/provisioning-note';
import { createCaller } from '@/server/api/trpc/caller';
import { getRuntime } from '@/server/core/runtime';

export default async function DocsLayout({ children }: { children: ReactNode }) {
  const api = await createCaller();
  return (
    <DocsShell guides={await api.guides.list()}>
      {!getRuntime().settings.access.provisioning && <ProvisioningNote />}
      {children}
    </DocsShell>
  );
}
