'use client';

import { useEffect, useRef } from 'react';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { MailCheck } from '../ui/icons';
import { Notice } from '../ui/notice';

interface CheckMailProps {
  /** Empty if unknown. */
  address: string;
  localInbox: boolean;
  onAgain: () => void;
}

/** Confirms that the sign-in email is on its way. */
export function CheckMail({ address, localInbox, onAgain }: CheckMailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is gone: move the focus to the heading.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="flex flex-col gap-5">
      <MailCheck aria-hidden className="size-7 stroke-[1.5] text-muted" />
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-2xl focus-visible:outline-none">
          Check your email
        </h1>
        <p className="mt-1 text-muted">
          {localInbox ? 'A sign-in link is ready' : 'A sign-in link is on its way'}
          {address && (
            <>
              {localInbox ? ' for ' : ' to '}
              <span className="font-medium text-ink [overflow-wrap:anywhere]">{address}</span>
            </>
          )}
          . It works once, for 24 hours.
        </p>
      </div>
      {localInbox && (
        <Notice title="No email server is configured">
          <p>The email was not sent. It is in the local inbox of this gateway.</p>
          <a href="/inbox" className={buttonClass({ variant: 'primary', className: 'mt-3' })}>
            Open the local inbox
          </a>
        </Notice>
      )}
      <div>
        <Button variant="ghost" className="-ml-4" onClick={onAgain}>
          Use another email address
        </Button>
      </div>
    </div>
  );
}
