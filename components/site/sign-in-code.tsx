'use client';

import { MAX_CODE_LENGTH } from '@/server/identity/factor/limits';
import { signOut } from '../shared/auth-client';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

interface SignInCodeProps {
  /** Already validated: a path on this origin. */
  callbackUrl: string;
  operatorEmail: string;
}

/** Asks for the second factor of a sign-in. */
export function SignInCode({ callbackUrl, operatorEmail }: SignInCodeProps) {
  const form = useSubmit({ code: 'Code' }, async (read) => {
    const code = read('code');
    if (code === '') throw new InputProblem('Code: enter the code of your app, or a recovery code.');
    await trpc.security.completeSignIn.mutate({ code });
    // A full load, so that no page rendered for a visitor remains.
    window.location.assign(callbackUrl);
  });
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-2xl">Two-step verification</h1>
        <p className="mt-1 text-muted">Enter the code that your authenticator app shows.</p>
      </div>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        <Field
          label="Code"
          hint="Without your app, enter one of your recovery codes."
          error={form.fieldError('code')}
        >
          <Input
            name="code"
            maxLength={MAX_CODE_LENGTH}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            className="h-10 font-mono"
          />
        </Field>
        <Button type="submit" variant="primary" size="lg" busy={form.busy}>
          Continue
        </Button>
      </form>
      <p className="text-muted text-sm">
        Lost both? Ask{' '}
        <a href={`mailto:${operatorEmail}`} className="link [overflow-wrap:anywhere]">
          {operatorEmail}
        </a>{' '}
        to turn off two-step verification, or{' '}
        <button type="button" className="link" onClick={() => signOut('/sign-in')}>
          sign in as someone else
        </button>
        .
      </p>
    </div>
  );
}
