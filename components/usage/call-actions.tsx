'use client';

import Link from 'next/link';
import type { MouseEvent } from 'react';
import type { ContentSide } from '@/server/calls/contents/schema';
import type { UsageCall } from '@/server/usage/schema';
import { curlCall } from '../shared/call-samples';
import { playgroundPath } from '../shared/input-link';
import { handInput } from '../shared/playground-handoff';
import { useOrigin } from '../shared/use-origin';
import { buttonClass } from '../ui/button-class';
import { CopyButton } from '../ui/copy-button';
import { FlaskConical } from '../ui/icons';
import { toast } from '../ui/toast';
import { DownloadReceipt } from './download-receipt';

interface CallActionsProps {
  call: UsageCall;
  /** The input, if it is stored. */
  input: ContentSide | null;
}

/** What can be done with a call: run it again, copy it as a command, save its receipt. */
export function CallActions({ call, input }: CallActionsProps) {
  const origin = useOrigin();
  const { tool, skill, account } = call;
  const value = input && readInput(input);
  const billing = account.slug === null ? {} : { billing: account.slug };
  const team = account.slug === null ? '' : `&billing=${encodeURIComponent(account.slug)}`;

  /** A new tab does not get the input, and this one must not fill it in later. */
  function handOver(event: MouseEvent) {
    if (!value || event.ctrlKey || event.metaKey || event.shiftKey) return;
    handInput(`${tool}.${skill}`, value);
    if (!isComplete(input)) toast.info('Check the input before you run it', { description: GAPS });
  }

  function warnOfGaps() {
    if (!value)
      toast.info('Copied without its input', { description: 'The input of this call is not stored.' });
    else if (!isComplete(input)) toast.info('Copied with gaps', { description: GAPS });
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Link href={playgroundPath(tool, skill) + team} onClick={handOver} className={buttonClass()}>
        <FlaskConical aria-hidden />
        {value ? 'Run again in playground' : 'Open in playground'}
      </Link>
      <CopyButton
        value={() => curlCall(origin, { tool, skill, input: value ?? {}, ...billing })}
        label="Copy as curl"
        text
        variant="secondary"
        size="md"
        onCopied={warnOfGaps}
      />
      {call.status === 'success' && <DownloadReceipt callId={call.id} />}
    </div>
  );
}

const GAPS = 'Parts of the input were left out or redacted.';

function isComplete(input: ContentSide | null): boolean {
  return input !== null && !input.truncated && !input.redacted;
}

function readInput({ json }: ContentSide): Record<string, unknown> | null {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
