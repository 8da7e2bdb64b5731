'use client';

import { Activity } from 'lucide-react';
import { FIRST_CALL } from '../shared/snippets';
import { useOrigin } from '../shared/use-origin';
import { curlCall, KEY_VARIABLE } from '../shared/call-samples';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';

/** What to do where nothing was called yet. */
export function NoCalls() {
  const origin = useOrigin();
  return (
    <EmptyState
      icon={<Activity />}
      title="No calls yet"
      className="px-4"
      action={
        <CodeBlock
          className="w-[min(34rem,calc(100vw-4rem))] text-left"
          label="A first call with curl"
          samples={[{ language: 'curl', code: curlCall(origin, FIRST_CALL) }]}
        />
      }
    >
      Put a key into <code className="font-mono">{KEY_VARIABLE}</code> and make a first call. It is free, and
      shows up here a moment later.
    </EmptyState>
  );
}
