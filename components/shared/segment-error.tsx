'use client';

import { Card } from '../ui/card';
import { ErrorState } from '../ui/error-state';

/** The error page of a dashboard segment; the frame around it stays. */
export function SegmentError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest =
    typeof error === 'object' && error !== null && 'digest' in error ? String(error.digest) : undefined;
  return (
    <Card>
      <ErrorState title="This page could not be loaded" onRetry={retry}>
        <p>
          Something went wrong on our side. Try again. If it persists, send the reference to the operator.
        </p>
        {digest && <p className="mt-2 font-mono text-xs">Reference {digest}</p>}
      </ErrorState>
    </Card>
  );
}
