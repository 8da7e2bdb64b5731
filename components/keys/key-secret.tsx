'use client';

import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Fact } from '../ui/fact';
import { RefreshCw } from '../ui/icons';
import { RotateKeyDialog } from './key-dialogs';

interface KeySecretProps {
  apiKey: ApiKey;
  canChange: boolean;
}

/** The mask of the secret, and until when the one before the last rotation works. */
export function KeySecret({ apiKey, canChange }: KeySecretProps) {
  const [rotating, setRotating] = useState(false);
  useReturnFocus(rotating);
  return (
    <Card>
      <CardHeader
        title="Secret"
        actions={
          canChange &&
          apiKey.status === 'active' && (
            <Button onClick={() => setRotating(true)}>
              <RefreshCw aria-hidden />
              Rotate
            </Button>
          )
        }
      />
      <dl className="grid gap-4 p-4 text-sm sm:p-5">
        <Fact name="Current secret">
          <code className="break-all font-mono">{apiKey.key_prefix}</code>
        </Fact>
        <Fact name="Previous secret">
          {apiKey.previous_secret_expires_at ? (
            <>
              Works until{' '}
              <DateTime at={apiKey.previous_secret_expires_at} format="exact" className="whitespace-normal" />
            </>
          ) : (
            'None'
          )}
        </Fact>
      </dl>
      <p className="px-4 pb-4 text-muted text-sm sm:px-5 sm:pb-5">
        The gateway stores a hash, so the secret cannot be shown again. Rotate the key to get a new one.
      </p>
      {rotating && <RotateKeyDialog apiKey={apiKey} open onOpenChange={setRotating} />}
    </Card>
  );
}
