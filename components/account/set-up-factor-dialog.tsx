'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FactorSetup } from '@/server/identity/factor/schema';
import { DialogForm } from '../shared/dialog-form';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { CopyButton } from '../ui/copy-button';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { Skeleton } from '../ui/skeleton';
import { CodeField } from './code-field';
import { RecoveryCodes } from './recovery-codes';

/** Shows the QR code, asks for the first code of the app, then shows the recovery codes. */
export function SetUpFactorDialog({ onClose }: { onClose: () => void }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const setup = useQuery({
    queryKey: ['factor-setup'],
    queryFn: () => trpc.security.beginFactor.mutate(),
    // Each request makes a new secret: the one on the page must stay the one that is stored.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Dialog
      open
      sticky={codes !== null}
      onOpenChange={(open) => !open && onClose()}
      title={codes === null ? 'Set up two-step verification' : 'Save your recovery codes'}
    >
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : setup.isError ? (
        <ErrorState onRetry={() => setup.refetch()} retrying={setup.isFetching}>
          {problemText(setup.error)}
        </ErrorState>
      ) : setup.data ? (
        <SetUpForm setup={setup.data} onEnabled={setCodes} />
      ) : (
        <Skeleton className="h-72" />
      )}
    </Dialog>
  );
}

function SetUpForm({ setup, onEnabled }: { setup: FactorSetup; onEnabled: (codes: string[]) => void }) {
  const form = useSubmit({ code: 'Code' }, async (read) => {
    const code = read('code');
    if (code === '') throw new InputProblem('Code: enter the six digits of your app.');
    onEnabled((await trpc.security.enableFactor.mutate({ code })).recovery_codes);
  });
  return (
    <DialogForm form={form} confirmLabel="Turn on">
      <p className="text-muted text-sm">
        Scan this with an authenticator app, such as 1Password, Google Authenticator or Aegis. On this device,{' '}
        <a href={setup.uri} className="link">
          open it in your app
        </a>
        .
      </p>
      {/* An image, because an SVG in the page could bring scripts; white, because scanners need it. */}
      {/* biome-ignore lint/performance/noImgElement: a data URL needs no optimisation */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`}
        alt="QR code of the secret"
        className="mx-auto size-44 rounded-md bg-white p-2"
      />
      <p className="text-muted text-sm">Or enter this secret:</p>
      <p className="flex items-center gap-2">
        <output aria-label="Secret" className="select-all break-all font-mono text-xs" translate="no">
          {setup.secret}
        </output>
        <CopyButton value={setup.secret} label="Copy the secret" />
      </p>
      <CodeField recovery={false} error={form.fieldError('code')} />
    </DialogForm>
  );
}
