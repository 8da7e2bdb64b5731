'use client';

import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { useReturnFocus } from '../shared/use-return-focus';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Fact } from '../ui/fact';
import { SlidersHorizontal } from '../ui/icons';
import { KeyRulesDialog } from './key-dialogs';

interface KeyRestrictionsProps {
  apiKey: ApiKey;
  canChange: boolean;
}

/** Until when, for what and from where a key may be used. */
export function KeyRestrictions({ apiKey, canChange }: KeyRestrictionsProps) {
  const [editing, setEditing] = useState(false);
  useReturnFocus(editing);
  return (
    <Card>
      <CardHeader
        title="Restrictions"
        actions={
          canChange &&
          apiKey.status === 'active' && (
            <Button onClick={() => setEditing(true)}>
              <SlidersHorizontal aria-hidden />
              Edit
            </Button>
          )
        }
      />
      <dl className="grid gap-4 p-4 text-sm sm:p-5">
        <Fact name="Expires">
          {apiKey.expires_at ? (
            <>
              {apiKey.expired && 'Expired '}
              <DateTime at={apiKey.expires_at} format="exact" className="whitespace-normal" />
            </>
          ) : (
            'Never'
          )}
        </Fact>
        <Fact name="Allowed tools">
          <Names names={apiKey.allowed_tools} none="All tools" />
        </Fact>
        <Fact name="Allowed networks">
          <Names names={apiKey.allowed_ips} none="Any address" />
        </Fact>
      </dl>
      {editing && <KeyRulesDialog apiKey={apiKey} open onOpenChange={setEditing} />}
    </Card>
  );
}

function Names({ names, none }: { names: readonly string[] | null; none: string }) {
  if (names === null) return none;
  return (
    <span className="flex flex-wrap gap-1">
      {names.map((name) => (
        <Badge key={name} className="max-w-full whitespace-normal break-all font-mono">
          {name}
        </Badge>
      ))}
    </span>
  );
}
