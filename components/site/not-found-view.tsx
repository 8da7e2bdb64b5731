import Link from 'next/link';
import { buttonClass } from '../ui/button';
import { Logo } from '../ui/logo';

/**
 * The 404 page, with links to the two most likely destinations.
 * @param framed inside a layout that already has the logo and the main landmark
 */
export function NotFoundView({ framed = false }: { framed?: boolean }) {
  const Frame = framed ? 'div' : 'main';
  return (
    <Frame className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16">
      {!framed && (
        <Link href="/" className="mb-4">
          <Logo />
          <span className="sr-only">, home</span>
        </Link>
      )}
      <h1 className="font-semibold text-2xl">Page not found</h1>
      <p className="text-muted">It may have been renamed or removed, or the link may be incomplete.</p>
      <div className="flex flex-wrap gap-2">
        <Link href="/tools" className={buttonClass({ variant: 'primary' })}>
          See all tools
        </Link>
        <Link href="/" className={buttonClass()}>
          Go to home page
        </Link>
      </div>
    </Frame>
  );
}
