'use client';

import { ListChecks } from 'lucide-react';
import { useOrigin } from '../shared/use-origin';
import { KEY_VARIABLE } from '../shared/call-samples';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { curlJob } from './job-sample';

/** What a job is, and a command that makes one. */
export function NoJobs() {
  const origin = useOrigin();
  return (
    <EmptyState
      icon={<ListChecks />}
      title="No jobs yet"
      className="px-4"
      action={
        <CodeBlock
          className="w-[min(36rem,calc(100vw-4rem))] text-left"
          label="Make a job with curl"
          samples={[{ language: 'curl', code: curlJob(origin) }]}
        />
      }
    >
      A call becomes a job when it runs for 30 seconds, or at once with{' '}
      <code className="font-mono">Prefer: wait=0</code>. Put a key into{' '}
      <code className="font-mono">{KEY_VARIABLE}</code> and try it: it is free, and shows up here a moment
      later.
    </EmptyState>
  );
}
