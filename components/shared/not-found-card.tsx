import Link from 'next/link';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button-class';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { SearchX } from '../ui/icons';

interface NotFoundCardProps {
  title?: string;
  /** Where to go instead. */
  href: string;
  label?: string;
  /** Why it may be missing. */
  children: ReactNode;
}

/** The 404 page inside a frame. */
export function NotFoundCard({
  title = 'Page not found',
  href,
  label = 'Go to overview',
  children,
}: NotFoundCardProps) {
  return (
    <Card>
      <EmptyState
        icon={<SearchX />}
        title={title}
        action={
          <Link href={href} className={buttonClass()}>
            {label}
          </Link>
        }
      >
        <h1 className="sr-only">Not found</h1>
        {children}
      </EmptyState>
    </Card>
  );
}
