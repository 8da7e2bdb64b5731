'use client';

import { useState } from 'react';
import { signOut } from '../shared/auth-client';
import { Button } from '../ui/button';
import { signInToJoin } from './join-outcomes';

/** Signs out, then returns here after signing in again. */
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
