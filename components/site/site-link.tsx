'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { cn } from '../ui/cn';
import type { NavLink } from './nav-links';

interface SiteLinkProps extends NavLink {
  className?: string;
}

/** A link of the navigation; says when one is there. */
export function SiteLink({ href, label, plain, className }: SiteLinkProps) {
  const pathname = usePathname();
  const here = pathname === href || pathname.startsWith(`${href}/`);
  const classes = cn(
    'rounded-sm py-1 text-sm hover:text-ink',
    here ? 'font-medium text-ink' : 'text-muted',
    className,
  );
  if (plain)
    return (
      <a href={href} className={classes}>
        {label}
      </a>
    );
  return (
    <Link href={href} aria-current={here ? 'page' : undefined} className={classes}>
      {label}
    </Link>
  );
}
