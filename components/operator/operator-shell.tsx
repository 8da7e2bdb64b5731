import type { ReactNode } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import { TrpcProvider } from '../shared/trpc-provider';
import { UserMenu } from '../shared/user-menu';
import { Badge } from '../ui/badge';
import { IntentLink } from '../ui/intent-link';
import { BrandName, Logo, LogoMark } from '../ui/logo';
import { Toaster } from '../ui/toast';
import { MayActProvider } from './may-act';
import { OperatorSidebar, OperatorTabs } from './operator-nav';

/**
 * The frame of the operator's pages: the dashboard's design with its own navigation and a badge.
 */
export function OperatorShell({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return (
    <TrpcProvider>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-3 py-2 font-medium text-ink-inverse text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="lg:grid lg:grid-cols-[14.5rem_minmax(0,1fr)]">
        <aside className="sticky top-0 hidden h-dvh flex-col gap-6 border-r bg-surface p-3 lg:flex">
          <IntentLink href="/" className="flex h-10 items-center rounded-md px-2.5">
            <Logo />
            <span className="sr-only">, home</span>
          </IntentLink>
          <OperatorSidebar />
        </aside>
        <div className="flex min-h-dvh min-w-0 flex-col">
          <header className="sticky top-0 z-20 border-b bg-bg">
            <div className="mx-auto flex h-14 w-full max-w-6xl items-center gap-2 px-4 sm:px-6 lg:px-8">
              <IntentLink
                href="/"
                className="flex size-9 shrink-0 items-center justify-center rounded-md lg:hidden"
              >
                <LogoMark />
                <span className="sr-only">
                  <BrandName />, home
                </span>
              </IntentLink>
              <Badge tone="warning">{viewer.read_only_operator ? 'Support' : 'Operator'}</Badge>
              <span className="text-muted text-sm max-sm:hidden">
                {viewer.read_only_operator
                  ? 'Read only. Views of accounts are audited.'
                  : 'Actions here are audited.'}
              </span>
              <span className="ml-auto" />
              <UserMenu viewer={viewer} />
            </div>
            <OperatorTabs />
          </header>
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 pt-6 pb-16 focus:outline-none sm:px-6 lg:px-8 lg:pt-8"
          >
            <MayActProvider mayAct={!viewer.read_only_operator}>{children}</MayActProvider>
          </main>
        </div>
      </div>
      <Toaster />
    </TrpcProvider>
  );
}
