'use client';

import { describePageFailure } from '../shared/page-failure';
import { buttonClass } from '../ui/button-class';

/**
 * The error page. The digest identifies the error in the operator's log. Every page loads it, so it
 * imports little.
 */
export function ErrorView({ error, retry }: { error: unknown; retry: () => void }) {
  const failure = describePageFailure(error, retry);
  return (
    <main
      role="alert"
      className="mx-auto flex min-h-[60dvh] max-w-md flex-col items-start justify-center gap-4 px-6 py-16"
    >
      <h1 className="font-semibold text-2xl">This page could not be loaded</h1>
      <p className="text-muted">{failure.text}</p>
      {failure.digest && <p className="font-mono text-muted text-sm">Reference {failure.digest}</p>}
      <div className="flex flex-wrap gap-2">
        <button type="button" className={buttonClass({ variant: 'primary' })} onClick={failure.retry}>
          Try again
        </button>
        <a href="/" className={buttonClass()}>
          Go to home page
        </a>
      </div>
    </main>
  );
}
