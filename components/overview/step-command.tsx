'use client';

import { curlCall } from '../shared/call-samples';
import { useOrigin } from '../shared/use-origin';
import { CodeBlock } from '../ui/code-block';

interface StepCommandProps {
  label: string;
  call: Parameters<typeof curlCall>[1];
}

/** The curl command of a step, with a copy button. */
export function StepCommand({ label, call }: StepCommandProps) {
  const code = curlCall(useOrigin(), call);
  return (
    <CodeBlock label={label} samples={[{ language: 'curl', code }]} className="mt-3 max-w-2xl text-ink" />
  );
}
