'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FactorState } from '@/server/identity/factor/schema';
import { queryKey } from '../shared/queries';
import { useReturnFocus } from '../shared/use-return-focus';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { lazyOverlay } from '../ui/lazy-overlay';

const SetUpFactorDialog = lazyOverlay(() =>
  import('./set-up-factor-dialog').then((module) => module.SetUpFactorDialog),
);
const FactorCodeDialog = lazyOverlay(() =>
  import('./factor-code-dialog').then((module) => module.FactorCodeDialog),
);

type Act = 'set-up' | 'turn-off' | 'renew';

/** Whether signing in needs a code, and what to do about it. */
export function SecondFactor({ state: data }: { state: FactorState }) {
  const queries = useQueryClient();
  const [act, setAct] = useState<Act | null>(null);
  useReturnFocus(act !== null);

  async function close() {
    setAct(null);
    await queries.invalidateQueries({ queryKey: queryKey.factor });
    await queries.invalidateQueries({ queryKey: queryKey.sessions });
  }

  return (
    <Card>
      <CardHeader
        title="Two-step verification"
        description="A code from your phone, asked after you sign in."
      />
      <CardBody className="flex flex-wrap items-center justify-between gap-4 text-sm">
        <div className="max-w-md">
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={data.enabled ? 'success' : 'neutral'}>{data.enabled ? 'On' : 'Off'}</Badge>
            {data.enabled_at && (
              <span className="text-muted">
                since <DateTime at={data.enabled_at} format="date" />
              </span>
            )}
          </p>
          <p className="mt-1.5 text-muted">
            {data.enabled
              ? describeCodes(data.recovery_codes_left)
              : 'Without it, anyone who can read your email can sign in.'}
          </p>
        </div>
        {data.enabled ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setAct('renew')}>New recovery codes</Button>
            <Button variant="danger" onClick={() => setAct('turn-off')}>
              Turn off
            </Button>
          </div>
        ) : (
          <Button variant="primary" onClick={() => setAct('set-up')}>
            Set up
          </Button>
        )}
      </CardBody>
      {act === 'set-up' && <SetUpFactorDialog onClose={close} />}
      {(act === 'turn-off' || act === 'renew') && <FactorCodeDialog act={act} onClose={close} />}
    </Card>
  );
}

function describeCodes(left: number): string {
  if (left === 0) return 'No recovery codes are left. Create new ones in case you lose your app.';
  return left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`;
}
