'use client';

import Link from 'next/link';
import type { ContentSide } from '@/server/calls/contents/schema';
import type { UsageCall } from '@/server/usage/schema';
import { curlCall } from '../shared/call-samples';
import { rerunPath } from '../shared/input-link';
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
  const { id, tool, skill, account } = call;
  const value = input && readInput(input);
  const billing = account.slug === null ? {} : { billing: account.slug };
  const team = account.slug === null ? '' : `&billing=${encodeURIComponent(account.slug)}`;

  function warnOfGaps() {
    if (!value)
      toast.info('Copied without its input', { description: 'The input of this call is not stored.' });
    else if (input?.truncated || input?.redacted)
      toast.info('Copied with gaps', { description: 'Parts of the input were left out or redacted.' });
  }

  return (
    <div className="flex flex-wrap gap-2">
      <Link href={rerunPath({ id, tool, skill }) + team} className={buttonClass()}>
        <FlaskConical aria-hidden />
        Run again in playground
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

function readInput({ json }: ContentSide): Record<string, unknown> | null {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
