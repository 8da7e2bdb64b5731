'use client';

import { useState } from 'react';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { ReceiptText } from '../ui/icons';
import { toast } from '../ui/toast';

/** Saves the signed receipt of a call as a file, which `tool-gateway receipt verify` reads. */
export function DownloadReceipt({ callId }: { callId: string }) {
  const [busy, setBusy] = useState(false);

  async function download() {
    setBusy(true);
    try {
      const { receipt } = await trpc.receipts.get.query({ call_id: callId });
      saveFile(`${callId}.receipt.jws`, `${receipt}\n`);
    } catch (error) {
      toast.error('The receipt could not be loaded', { description: problemText(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} onClick={download}>
      <ReceiptText aria-hidden />
      Download receipt
    </Button>
  );
}

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/jose' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
