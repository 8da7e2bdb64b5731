'use client';

import { useEffect, useRef } from 'react';
import type { SentInvitation } from '@/server/identity/teams/schema';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Notice } from '../ui/notice';

/** Whether the email was sent, and the link to share manually: shown once, stored in state only. */
export function InvitationSent({ sent }: { sent: SentInvitation }) {
  const top = useRef<HTMLDivElement>(null);
  // The form is gone: move the focus to the result.
  useEffect(() => top.current?.focus(), []);
  const { email } = sent.invitation;
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <MailNotice sent={sent} />
      <div className="flex flex-col gap-2">
        <p className="font-medium text-sm">Or share the link yourself</p>
        <output
          aria-label="Invitation link"
          translate="no"
          className="select-all break-all rounded-lg border border-line-strong bg-sunken px-3 py-2 font-mono text-xs"
        >
          {sent.url}
        </output>
        <p className="text-muted text-sm">
          It works once, for 7 days, and only for the person who signs in as {email}. It is shown only once;
          sending again creates a new link and invalidates this one.
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
        <Notice title="No email server is configured">
          The email is in the{' '}
          <a href="/inbox" className="link">
            local inbox
          </a>{' '}
          of this gateway.
        </Notice>
      );
    case 'none':
      return (
        <Notice tone="warning" title="This gateway does not send email">
          No email was sent. Copy the link and send it to{' '}
          <span className="break-all">{invitation.email}</span>.
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="warning" title="The email could not be sent">
          The invitation is still valid. Copy the link and send it to{' '}
          <span className="break-all">{invitation.email}</span>, or resend it later.
        </Notice>
      );
  }
}

interface InvitationSentDialogProps {
  sent: SentInvitation | null;
  onClose: () => void;
}

/** The result on its own, after an invitation was sent again. */
export function InvitationSentDialog({ sent, onClose }: InvitationSentDialogProps) {
  useReturnFocus(sent !== null);
  return (
    <Dialog
      open={sent !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Invitation sent again"
      description="The earlier link no longer works."
    >
      {sent && <InvitationSent sent={sent} />}
    </Dialog>
  );
}
