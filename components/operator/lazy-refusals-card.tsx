'use client';

import { Card } from '../ui/card';
import { lazyOverlay } from '../ui/lazy-overlay';
import { SkeletonRows } from '../ui/skeleton';

/** Loaded after the page: it is below the figures. */
export const LazyRefusalsCard = lazyOverlay(
  () => import('./refusals-card').then((module) => module.RefusalsCard),
  () => (
    <Card>
      <SkeletonRows label="Loading refused calls" />
    </Card>
  ),
);
