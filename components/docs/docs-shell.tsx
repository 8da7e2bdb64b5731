import type { ReactNode } from 'react';
import type { GuideLink } from '@/server/docs/schema';
import { DocsNav } from './docs-nav';
import { DocsSearch } from './docs-search';
import { PhoneNav } from './phone-nav';

/**
 * The frame of the documentation: navigation and search in a side column, at the top on a phone.
 */
export function DocsShell({ guides, children }: { guides: readonly GuideLink[]; children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-6xl gap-x-12 gap-y-6 px-4 pt-6 sm:px-6 lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-10 print:block">
      <div className="flex flex-col gap-4 lg:sticky lg:top-20 lg:z-10 lg:max-h-[calc(100dvh-6rem)] lg:self-start print:hidden">
        <DocsSearch />
        <PhoneNav>
          <DocsNav guides={guides} label="Documentation, on a phone" />
        </PhoneNav>
        <div className="hidden overflow-y-auto px-2 pb-8 lg:block">
          <DocsNav guides={guides} label="Documentation" />
        </div>
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  );
}
