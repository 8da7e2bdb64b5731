'use client';

import { KEY_VARIABLE } from '../shared/call-samples';
import { useOrigin } from '../shared/use-origin';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { ListChecks } from '../ui/icons';
import { curlJob } from './job-sample';

/** Explains jobs, with a command that starts one. */
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
          label="Start a job with curl"
          wrap
          samples={[{ language: 'curl', code: curlJob(origin) }]}
        />
      }
    >
      A call becomes a job when it runs for 30 seconds, or immediately with{' '}
      <code className="font-mono">Prefer: wait=0</code>. Set <code className="font-mono">{KEY_VARIABLE}</code>{' '}
      to an API key and try it: it is free and appears here a moment later.
    </EmptyState>
  );
}
