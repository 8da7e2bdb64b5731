'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { IntentLink } from '../ui/intent-link';

/** A navigation link of the documentation that marks the current page. */
export function HereLink({ href, children }: { href: string; children: ReactNode }) {
  const here = usePathname() === href;
  return (
    <IntentLink
      href={href}
      aria-current={here ? 'page' : undefined}
      className={cn(
        '-mx-2 block rounded-md px-2 py-1 hover:bg-hover',
        here ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
      )}
    >
      {children}
    </IntentLink>
  );
}
