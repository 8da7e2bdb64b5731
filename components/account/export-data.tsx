'use client';

import { useState } from 'react';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { lazyOverlay } from '../ui/lazy-overlay';
import { toast } from '../ui/toast';

const ExportDialog = lazyOverlay(() => import('./export-dialog').then((module) => module.ExportDialog));

/** Downloads everything about the person; asks for a code first if the second factor is on. */
export function ExportData({ factor }: { factor: boolean }) {
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  useReturnFocus(asking);

  async function start() {
    if (factor) return setAsking(true);
    setBusy(true);
    try {
      window.location.assign((await trpc.security.startExport.mutate({})).path);
    } catch (error) {
      toast.error('Could not export', { description: problemText(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card>
      <CardHeader title="Export your data" />
      <CardBody className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-md text-muted text-sm">
          One JSON file with your profile, keys without their secrets, calls, ledger, payments, billing
          details, invoices, reviews, teams, sessions, webhooks, file names and account activity. Stored
          contents of calls are under Usage.
        </p>
        <Button busy={busy} onClick={start}>
          Download
        </Button>
      </CardBody>
      {asking && <ExportDialog onClose={() => setAsking(false)} />}
    </Card>
  );
}
