import type { ReactNode } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import { IntentLink } from '../ui/intent-link';
import { BrandName, Logo, LogoMark } from '../ui/logo';
import { Toaster } from '../ui/toast';
import { UserMenu } from './user-menu';

interface PageFrameProps {
  viewer: Viewer;
  /** Below the logo, from 64rem. */
  sidebar: ReactNode;
  /** In the header, on the left of the user's menu. */
  header: ReactNode;
  /** A second row of the header. */
  tabs?: ReactNode;
  children: ReactNode;
}

/** The frame of the dashboard and of the operator's pages: a sidebar, a header and the page. */
export function PageFrame({ viewer, sidebar, header, tabs, children }: PageFrameProps) {
  return (
    <>
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-md bg-ink px-3 py-2 font-medium text-ink-inverse text-sm focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="lg:grid lg:grid-cols-[14.5rem_minmax(0,1fr)] print:block">
        <aside className="sticky top-0 hidden h-dvh flex-col gap-6 border-r bg-surface p-3 lg:flex print:hidden">
          <IntentLink href="/" className="flex h-10 items-center rounded-md px-2.5">
            <Logo />
            <span className="sr-only">, home</span>
          </IntentLink>
          {sidebar}
        </aside>
        <div className="flex min-h-dvh min-w-0 flex-col">
          <header className="sticky top-0 z-20 border-b bg-bg print:hidden">
            <div className="mx-auto flex h-14 w-full max-w-6xl items-center gap-1 px-4 sm:px-6 lg:px-8">
              <IntentLink
                href="/"
                className="flex size-9 shrink-0 items-center justify-center rounded-md lg:hidden"
              >
                <LogoMark />
                <span className="sr-only">
                  <BrandName />, home
                </span>
              </IntentLink>
              {header}
              <UserMenu viewer={viewer} />
            </div>
            {tabs}
          </header>
          <main
            id="main"
            tabIndex={-1}
            className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 pt-6 pb-24 focus:outline-none sm:px-6 lg:px-8 lg:pt-8 lg:pb-16 print:max-w-none print:p-0"
          >
            {children}
          </main>
        </div>
      </div>
      <Toaster />
    </>
  );
}
