'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { ChevronDown } from '../ui/icons';

/** The navigation on narrow screens: collapsed, and collapsed again after each navigation. */
export function PhoneNav({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  return (
    <details key={pathname} className="group rounded-lg border lg:hidden">
      <summary className="flex list-none items-center justify-between px-4 py-2.5 font-medium text-sm [&::-webkit-details-marker]:hidden">
        All pages of the documentation
        <ChevronDown aria-hidden className="size-4 text-muted group-open:rotate-180" />
      </summary>
      <div className="border-t px-4 py-4">{children}</div>
    </details>
  );
}
