import type { ReactNode } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import { LiveChannel } from '../live/live-channel';
import { PaletteHost } from '../palette/palette-host';
import { PageFrame } from '../shared/page-frame';
import { TrpcProvider } from '../shared/trpc-provider';
import { AccountSwitcher } from './account-switcher';
import { LostConnection } from './lost-connection';
import { BottomNav, SidebarNav } from './nav';
import { ReloadOnRestore } from './reload-on-restore';

interface ShellProps {
  viewer: Viewer;
  /** Undefined if it could not be read: then the header fetches it itself. */
  balance: BillingBalance | undefined;
  /** The state the page was rendered from: the live channel reports all changes after it. */
  liveToken: string;
  children: ReactNode;
}

/** The frame of every dashboard page: a sidebar from 64rem, a bar at the bottom below that. */
export function Shell({ viewer, balance, liveToken, children }: ShellProps) {
  return (
    <TrpcProvider>
      <LiveChannel token={liveToken} userId={viewer.user_id} />
      <PageFrame
        viewer={viewer}
        sidebar={<SidebarNav isOperator={viewer.operator} />}
        header={
          <>
            <PaletteHost />
            <span className="ml-auto" />
            <AccountSwitcher initial={balance} />
          </>
        }
        tabs={<LostConnection />}
      >
        {children}
      </PageFrame>
      <BottomNav isOperator={viewer.operator} />
      <ReloadOnRestore userId={viewer.user_id} />
    </TrpcProvider>
  );
}
