'use client';

import { useEffect, useRef } from 'react';
import type { SentInvitation } from '@/server/identity/teams/schema';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { useReturnFocus } from '../shared/use-return-focus';

/** What became of the mail, and the link to pass on by hand: shown this once, kept in state alone. */
export function InvitationSent({ sent }: { sent: SentInvitation }) {
  const top = useRef<HTMLDivElement>(null);
  // The form that was sent is gone: the focus goes on where the news is.
  useEffect(() => top.current?.focus(), []);
  const { email } = sent.invitation;
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <MailNotice sent={sent} />
      <div className="flex flex-col gap-2">
        <p className="font-medium text-sm">Or pass the link on yourself</p>
        <output
          aria-label="Invitation link"
          translate="no"
          className="select-all break-all rounded-lg border border-line-strong bg-sunken px-3 py-2 font-mono text-xs"
        >
          {sent.url}
        </output>
        <p className="text-muted text-sm">
          It works once, for 7 days, and only for whoever signs in as {email}. It is shown this once; sending
          again makes a new one and ends this one.
        </p>
      </div>
      <DialogActions>
        <CopyButton value={sent.url} label="Copy link" text variant="secondary" size="md" />
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}

function MailNotice({ sent: { mail, invitation } }: { sent: SentInvitation }) {
  switch (mail) {
    case 'sent':
      return (
        <Notice tone="success" title="The invitation is on its way">
          To <span className="break-all">{invitation.email}</span>.
        </Notice>
      );
    case 'inbox':
      return (
        <Notice title="No mail server is set up here">
          The mail waits in the{' '}
          <a href="/inbox" className="link">
            local inbox
          </a>{' '}
          of this gateway.
        </Notice>
      );
    case 'none':
      return (
        <Notice tone="warning" title="This gateway sends no mail">
          Nobody was told. Copy the link and give it to <span className="break-all">{invitation.email}</span>.
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="warning" title="The mail could not be sent">
          The invitation stands. Copy the link and give it to{' '}
          <span className="break-all">{invitation.email}</span>, or send it again later.
        </Notice>
      );
  }
}

interface InvitationSentDialogProps {
  sent: SentInvitation | null;
  onClose: () => void;
}

/** The same on its own, where an invitation was sent again. */
export function InvitationSentDialog({ sent, onClose }: InvitationSentDialogProps) {
  useReturnFocus(sent !== null);
  return (
    <Dialog
      open={sent !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Invited again"
      description="The earlier link has ended."
    >
      {sent && <InvitationSent sent={sent} />}
    </Dialog>
  );
}
