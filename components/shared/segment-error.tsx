'use client';

import { useEffect } from 'react';
import { Card } from '../ui/card';
import { ErrorState } from '../ui/error-state';
import { reloadAfterUpgrade } from '../ui/load-part';
import { describePageFailure } from './page-failure';

/** The error page of a dashboard segment; the frame around it stays. */
export function SegmentError({ error, retry }: { error: unknown; retry: () => void }) {
  const failure = describePageFailure(error, retry);
  useEffect(() => void reloadAfterUpgrade(error), [error]);
  return (
    <Card>
      <ErrorState title="This page could not be loaded" onRetry={failure.retry}>
        <p>{failure.text}</p>
        {failure.digest && <p className="mt-2 font-mono text-xs">Reference {failure.digest}</p>}
      </ErrorState>
    </Card>
  );
}
