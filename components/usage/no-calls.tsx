'use client';

import { curlCall, KEY_VARIABLE } from '../shared/call-samples';
import { FIRST_CALL } from '../shared/snippets';
import { useOrigin } from '../shared/use-origin';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { Activity } from '../ui/icons';

/** Explains how to make a first call. */
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
          wrap
          samples={[{ language: 'curl', code: curlCall(origin, FIRST_CALL) }]}
        />
      }
    >
      Set <code className="font-mono">{KEY_VARIABLE}</code> to an API key and make a first call. It is free
      and appears here a moment later.
    </EmptyState>
  );
}
