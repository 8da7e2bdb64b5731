'use client';

import type { Ref } from 'react';
import { Card, CardHeader } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Terminal } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { Skeleton } from '../ui/skeleton';
import type { Run } from './runs';
import type { useRuns } from './use-runs';

/** Loaded on the first run; not needed before. */
const OutputPanel = lazyOverlay(
  () => import('./output-panel').then((loaded) => loaded.OutputPanel),
  () => <Skeleton className="m-5 h-40" />,
);

export const prefetchOutput = OutputPanel.prefetch;

interface OutputCardProps {
  ref: Ref<HTMLDivElement>;
  session: ReturnType<typeof useRuns>;
  onReuse: (run: Run) => void;
}

/** The runs of this session and their output. */
export function OutputCard({ ref, session, onReuse }: OutputCardProps) {
  const { runs, shown, show, cancel } = session;
  return (
    <Card ref={ref} className="min-w-0 scroll-mt-20 lg:sticky lg:top-20">
      <CardHeader title="Output" />
      {shown ? (
        <OutputPanel
          runs={runs}
          shown={shown}
          onShow={show}
          onCancel={(wanted) => void cancel(wanted)}
          onReuse={onReuse}
        />
      ) : (
        <EmptyState icon={<Terminal />} title="No runs yet">
          Fill in the input or use an example, then press Run. Logs and output appear here.
        </EmptyState>
      )}
    </Card>
  );
}
