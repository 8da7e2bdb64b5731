'use client';

import { useState } from 'react';
import { problemText } from '../shared/problem';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Download } from '../ui/icons';
import { formatMoney } from '../ui/money';
import { Notice } from '../ui/notice';
import { toast } from '../ui/toast';
import { type Documents, isDue } from './documents';
import { InvoiceDetails } from './invoice-details';
import { type Billing, useIssueInvoice } from './queries';

interface InvoicesCellProps {
  payment: Documents;
  /** The account of the payment. */
  billing: Billing;
  /** For a page that does not query the payments. */
  onIssued?: (() => void) | undefined;
}

/** The invoice and credit notes of a payment, to download, and the button that issues one. */
export function InvoicesCell({ payment, billing, onIssued }: InvoicesCellProps) {
  const { invoices } = payment;
  return (
    <div className="flex flex-col items-start gap-1.5 max-sm:items-end">
      {invoices.map(({ invoice_id, number, kind }) => (
        // A plain link: the router must not prefetch a file.
        <a
          key={invoice_id}
          href={`/dashboard/billing/invoices/${invoice_id}.pdf`}
          download
          className="link inline-flex items-center gap-1.5 whitespace-nowrap"
        >
          <Download aria-hidden className="size-3.5" />
          {kind === 'credit_note' && 'Credit note '}
          {number}
        </a>
      ))}
      {isDue(payment) && <IssueInvoice payment={payment} billing={billing} onIssued={onIssued} />}
    </div>
  );
}

function IssueInvoice({ payment, billing, onIssued }: InvoicesCellProps) {
  const [open, setOpen] = useState(false);
  const issue = useIssueInvoice();
  const { invoice_due: first, credit_note_due_usd: credit } = payment;
  const what = first ? 'invoice' : 'credit note';

  function confirm() {
    issue.mutate(payment.payment_id, {
      onSuccess: () => {
        setOpen(false);
        onIssued?.();
        toast.success(first ? 'Invoice issued' : 'Credit note issued');
      },
    });
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        issue.reset();
        setOpen(next);
      }}
      trigger={<Button size="sm">Issue {what}</Button>}
      title={`Issue the ${what} for ${formatMoney(first ? payment.total_usd : credit)}?`}
      description={
        first
          ? `It names this customer, and cannot be changed afterwards.${credit > 0 ? ` A credit note for ${formatMoney(credit)} is issued with it.` : ''}`
          : 'It corrects the invoice by what was given back since, and cannot be changed afterwards.'
      }
    >
      {first && <InvoiceDetails billing={billing} paymentId={payment.payment_id} />}
      {issue.error && (
        <Notice tone="danger" live title={`The ${what} was not issued`}>
          {problemText(issue.error)}
        </Notice>
      )}
      <DialogActions>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button variant="primary" busy={issue.isPending} onClick={confirm}>
          Issue {what}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
