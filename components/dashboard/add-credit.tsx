'use client';

import { Plus } from 'lucide-react';
import { shellQuote } from '../site/call-samples';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';

/** The operator's command that grants credit. Quoted: an address is the person's own text and may hold shell signs. */
function creditCommand(email: string): string {
  return `npm run admin -- account credit --email ${shellQuote(email)} --amount-usd 10`;
}

/** How credit comes into the account: in this version from the operator, not by card. */
export function AddCredit({ email }: { email: string }) {
  return (
    <Dialog
      trigger={
        <Button>
          <Plus aria-hidden />
          Add credit
        </Button>
      }
      title="Add credit"
      description="Credit is granted by the operator of this gateway; it cannot be bought here yet."
      className="sm:max-w-xl"
    >
      <div className="flex flex-col gap-3 text-sm">
        <p>
          If that is you, run this in the gateway’s folder. The number is the amount in dollars. Otherwise
          send it to whoever runs this gateway.
        </p>
        <CodeBlock
          label="Command that grants credit"
          wrap
          samples={[{ language: 'shell', code: creditCommand(email) }]}
        />
        <p className="text-muted">Paid calls work from the next one on. Free tools need no credit at all.</p>
      </div>
      <DialogActions>
        <DialogClose>
          <Button variant="primary">Close</Button>
        </DialogClose>
      </DialogActions>
    </Dialog>
  );
}
