import type { ReactNode } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import { PageFrame } from '../shared/page-frame';
import { TrpcProvider } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { MayActProvider } from './may-act';
import { OperatorSidebar, OperatorTabs } from './operator-nav';

/**
 * The frame of the operator's pages: the dashboard's design with its own navigation and a badge.
 */
export function OperatorShell({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  const { read_only_operator: readOnly } = viewer;
  return (
    <TrpcProvider>
      <PageFrame
        viewer={viewer}
        sidebar={<OperatorSidebar />}
        header={
          <>
            <Badge tone="warning">{readOnly ? 'Support' : 'Operator'}</Badge>
            <span className="mr-auto ml-1 text-muted text-sm">
              <span className="max-sm:hidden">
                {readOnly ? 'Read only. Views of accounts are audited.' : 'Actions here are audited.'}
              </span>
            </span>
          </>
        }
        tabs={<OperatorTabs />}
      >
        <MayActProvider mayAct={!readOnly}>{children}</MayActProvider>
      </PageFrame>
    </TrpcProvider>
  );
}
