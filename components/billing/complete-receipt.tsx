'use client';

import { useState } from 'react';
import { problemText } from '../shared/problem';
import { Button } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Notice } from '../ui/notice';
import { toast } from '../ui/toast';
import { InvoiceDetails } from './invoice-details';
import { type Billing, useCompleteReceipt } from './queries';

interface CompleteReceiptProps {
  payment: { payment_id: string };
  /** The account of the payment. */
  billing: Billing;
  onCompleted: () => void;
}

/** Says that a receipt names no company, and adds the saved billing details to it, once. */
export function CompleteReceipt({ payment, billing, onCompleted }: CompleteReceiptProps) {
  const [open, setOpen] = useState(false);
  const complete = useCompleteReceipt();

  function confirm() {
    complete.mutate(payment.payment_id, {
      onSuccess: () => {
        setOpen(false);
        onCompleted();
        toast.success('Billing details added to the receipt');
      },
    });
  }

  return (
    <Notice tone="info" className="print:hidden" title="This receipt has no billing details">
      None were saved when the payment was made. You can add those saved now, once.
      <div className="mt-2">
        <Dialog
          open={open}
          onOpenChange={(next) => {
            complete.reset();
            setOpen(next);
          }}
          trigger={<Button size="sm">Add billing details</Button>}
          title="Add these details to the receipt?"
          description="They cannot be changed afterwards. Its invoice will name the same customer."
        >
          <InvoiceDetails billing={billing} paymentId={payment.payment_id} />
          {complete.error && (
            <Notice tone="danger" live title="The receipt was not completed">
              {problemText(complete.error)}
            </Notice>
          )}
          <DialogActions>
            <DialogClose>
              <Button>Cancel</Button>
            </DialogClose>
            <Button variant="primary" busy={complete.isPending} onClick={confirm}>
              Add to receipt
            </Button>
          </DialogActions>
        </Dialog>
      </div>
    </Notice>
  );
}
