'use client';

import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { findRefusalCause, findRemedyLink } from '../shared/refusal-cause';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { DateTime } from '../ui/date-time';
import { IntentLink } from '../ui/intent-link';
import { Notice } from '../ui/notice';
import { refusalsHref } from '../usage/view';
import { KeyCreditsDialog, KeyRulesDialog } from './key-dialogs';

/** At least 24 pixels high, as wrapped links on a phone must be. */
const LINK = 'link inline-block py-0.5';

interface BlockedNoticeProps {
  blocked: BlockedKey;
  apiKey: ApiKey;
  canChange: boolean;
  /** The account of the key, and the key. */
  filter: UsageFilter;
}

/** Why calls of a key are refused, since when and until when, how many, and what to do. */
export function BlockedNotice({ blocked, apiKey, canChange, filter }: BlockedNoticeProps) {
  const { error_code: code, refused, since, retry_at: until } = blocked;
  const { title, remedy, place, act } = findRefusalCause(blocked, apiKey);
  const leads = place === 'billing' || place === 'monthly-limit' || place === 'team';
  const link = leads && findRemedyLink({ ...blocked, kind: 'api', tool: null }, filter.billing);
  return (
    <Notice tone="warning" title={title}>
      <p>
        {refused > 0 ? (
          <>
            {formatCount(refused, 'call was', 'calls were')} refused since{' '}
            <DateTime at={since} format="exact" />.{' '}
          </>
        ) : (
          <>
            No call was refused since the last success, the last one <DateTime at={since} format="exact" />.{' '}
          </>
        )}
        {until !== null && (
          <>
            The limit resets <DateTime at={until} format="exact" />.{' '}
          </>
        )}
        {remedy}
      </p>
      {canChange && (place === 'credits' || place === 'rules') && (
        <ChangeLimit apiKey={apiKey} place={place} act={act} />
      )}
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
        {link && (
          <IntentLink href={link.href} className={LINK}>
            {link.label}
          </IntentLink>
        )}
        <IntentLink href={refusalsHref({ ...filter, error_code: code })} className={LINK}>
          Refused calls
        </IntentLink>
        <a href={`/docs/errors#${code}`} className={LINK}>
          What {code} means
        </a>
      </p>
    </Notice>
  );
}

interface ChangeLimitProps {
  apiKey: ApiKey;
  place: 'credits' | 'rules';
  act: string;
}

/** The button that opens the dialog of the limit. */
function ChangeLimit({ apiKey, place, act }: ChangeLimitProps) {
  const [open, setOpen] = useState(false);
  useReturnFocus(open);
  const Dialog = place === 'credits' ? KeyCreditsDialog : KeyRulesDialog;
  return (
    <p className="mt-2">
      <Button size="sm" onPointerEnter={Dialog.prefetch} onClick={() => setOpen(true)}>
        {act}
      </Button>
      {open && <Dialog apiKey={apiKey} open onOpenChange={setOpen} />}
    </p>
  );
}
