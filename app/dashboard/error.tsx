'use client';

import { SegmentError } from '@/components/shared/segment-error';

export default function DashboardError({ error, retry }: { error: unknown; retry: () => void }) {
  return <SegmentError error={error} retry={retry} />;
}
