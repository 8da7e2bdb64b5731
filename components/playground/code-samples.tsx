'use client';

import Link from 'next/link';
import { callSamples, KEY_VARIABLE } from '../shared/call-samples';
import { useOrigin } from '../shared/use-origin';
import { CodeBlock } from '../ui/code-block';
import type { CallRequest } from './runs';

/** The current call as code. */
export function CodeSamples({ call }: { call: CallRequest }) {
  const origin = useOrigin();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeBlock label="This call as code" samples={callSamples(origin, call)} bodyClassName="max-h-80" />
      <p className="text-muted text-sm">
        Ready to run with{' '}
        <Link href="/dashboard/keys" className="link">
          an API key
        </Link>{' '}
        in <code className="font-mono text-ink text-xs">{KEY_VARIABLE}</code>.
      </p>
    </div>
  );
}
