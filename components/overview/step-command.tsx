'use client';

import { curlCall } from '../shared/call-samples';
import { CodeBlock } from '../ui/code-block';
import { useOrigin } from '../shared/use-origin';

interface StepCommandProps {
  label: string;
  call: Parameters<typeof curlCall>[1];
}

/** The command of a first step, to copy. */
export function StepCommand({ label, call }: StepCommandProps) {
  const code = curlCall(useOrigin(), call);
  return (
    <CodeBlock label={label} samples={[{ language: 'curl', code }]} className="mt-3 max-w-2xl text-ink" />
  );
}
