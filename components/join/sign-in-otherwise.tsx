'use client';

import { useState } from 'react';
import { signOut } from '../shared/auth-client';
import { Button } from '../ui/button';
import { signInToJoin } from './join-outcomes';

/** Ends this session and asks who one is again, then comes back here. */
export function SignInOtherwise({ token }: { token: string }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      variant="primary"
      size="lg"
      busy={busy}
      onClick={() => {
        setBusy(true);
        signOut(signInToJoin(token)).catch(() => setBusy(false));
      }}
    >
      Sign in with the invited address
    </Button>
  );
}
