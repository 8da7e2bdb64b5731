'use client';

import { MailCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button, buttonClass } from '../ui/button';
import { Notice } from '../ui/notice';

interface CheckMailProps {
  /** Empty where it is no longer known. */
  address: string;
  localInbox: boolean;
  onAgain: () => void;
}

/** The link is on its way. */
export function CheckMail({ address, localInbox, onAgain }: CheckMailProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is gone, and the focus with it: it goes on where the news is.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="flex flex-col gap-5">
      <MailCheck aria-hidden className="size-7 stroke-[1.5] text-muted" />
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-2xl focus-visible:outline-none">
          Check your mail
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
        <Notice title="No mail server is set up here">
          <p>The mail was not sent anywhere. It waits in the local inbox of this gateway.</p>
          <a href="/inbox" className={buttonClass({ variant: 'primary', className: 'mt-3' })}>
            Open the local inbox
          </a>
        </Notice>
      )}
      <div>
        <Button variant="ghost" className="-ml-4" onClick={onAgain}>
          Use another address
        </Button>
      </div>
    </div>
  );
}
