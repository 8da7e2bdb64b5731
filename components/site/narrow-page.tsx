import Link from 'next/link';
import type { ReactNode } from 'react';
import { cn } from '../ui/cn';
import { Logo } from '../ui/logo';

/** A page for a single task: the logo above, the content in the middle. */
export function NarrowPage({ wide, children }: { wide?: boolean; children: ReactNode }) {
  return (
    <div
      className={cn(
        'mx-auto flex min-h-dvh w-full flex-col px-5 py-6 sm:py-10',
        wide ? 'max-w-2xl' : 'max-w-[25rem]',
      )}
    >
      <header className="flex">
        {' '}
        <Link href="/" className="rounded-sm">
          <Logo />
          <span className="sr-only">, home</span>
        </Link>
      </header>{' '}
      <main className={cn('flex flex-1 flex-col pb-16', wide ? 'pt-10' : 'pt-12 sm:pt-[14vh]')}>
        {children}
      </main>
    </div>
  );
}
