'use client';

import Link from 'next/link';
import { useOrigin } from '../shared/use-origin';
import { callSamples, KEY_VARIABLE } from '../shared/call-samples';
import { CodeBlock } from '../ui/code-block';
import type { WantedCall } from './runs';

/** The call as it stands in the form, as a program would make it. */
export function CodeSamples({ call }: { call: WantedCall }) {
  const origin = useOrigin();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeBlock label="This call as code" samples={callSamples(origin, call)} bodyClassName="max-h-80" />
      <p className="text-muted text-sm">
        It runs as it stands, with{' '}
        <Link href="/dashboard/keys" className="link">
          a key of yours
        </Link>{' '}
        in <code className="font-mono text-ink text-xs">{KEY_VARIABLE}</code>.
      </p>
    </div>
  );
}
