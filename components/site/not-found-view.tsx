import { buttonClass } from '../ui/button-class';
import { Logo } from '../ui/logo';

/**
 * The 404 page, with links to the two most likely destinations. Plain links: every page loads the
 * scripts of the 404 page.
 * @param framed inside a layout that already has the logo and the main landmark
 */
export function NotFoundView({ framed = false }: { framed?: boolean }) {
  const Frame = framed ? 'div' : 'main';
  return (
    <Frame className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16">
      {!framed && (
        <a href="/" className="mb-4">
          <Logo />
          <span className="sr-only">, home</span>
        </a>
      )}
      <h1 className="font-semibold text-2xl">Page not found</h1>
      <p className="text-muted">It may have been renamed or removed, or the link may be incomplete.</p>
      <div className="flex flex-wrap gap-2">
        <a href="/tools" className={buttonClass({ variant: 'primary' })}>
          See all tools
        </a>
        <a href="/" className={buttonClass()}>
          Go to home page
        </a>
      </div>
    </Frame>
  );
}
