'use client';

import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { IntentLink } from '../ui/intent-link';

interface HereLinkProps {
  href: string;
  /** Pages below this path are not part of the link's section. */
  except?: string | undefined;
  children: ReactNode;
}

/** A navigation link of the documentation that marks the current page, and the section it is in. */
export function HereLink({ href, except, children }: HereLinkProps) {
  const pathname = usePathname();
  const isPage = pathname === href;
  const isBelow = (path: string) => `${pathname}/`.startsWith(`${path}/`);
  const here = isPage || (isBelow(href) && !(except !== undefined && isBelow(except)));
  return (
    <IntentLink
      href={href}
      aria-current={isPage ? 'page' : here || undefined}
      className={cn(
        'here-link',
        here ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:text-ink',
      )}
    >
      {children}
    </IntentLink>
  );
}
