import Link from 'next/link';
import type { ReactNode } from 'react';
import { Logo } from '../ui/logo';

interface CardPageProps {
  title: string;
  children: ReactNode;
}

/** A page with a single card in the middle. */
export function CardPage({ title, children }: CardPageProps) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-lg flex-col gap-6 px-4 py-8 sm:justify-center sm:py-16">
      <Link href="/" className="self-start rounded-md">
        <Logo />
        <span className="sr-only">, home</span>
      </Link>
      <div className="flex flex-col gap-5 rounded-xl border bg-surface p-5 sm:p-8">
        <h1 tabIndex={-1} className="font-semibold text-2xl focus:outline-none">
          {title}
        </h1>
        {children}
      </div>
    </main>
  );
}
