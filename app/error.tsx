'use client';

import { ErrorView } from '@/components/site/error-view';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  return <ErrorView error={error} retry={retry} />;
}
