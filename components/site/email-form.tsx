'use client';

import { useActionState, useState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { useEarlyInput } from '../ui/use-early-input';

/** A syntax check for one address; only delivery shows whether it exists. */
const ADDRESS = /^[^\s@,"<>()]+@[^\s@,"<>()]+$/;

/**
 * Requests a sign-in email. Input submitted before hydration counts: React replays a form's action.
 */
export function EmailForm({ onSend }: { onSend: (email: string) => Promise<void> }) {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState(false);
  const input = useEarlyInput(email, setEmail);
  const [, submit, busy] = useActionState(async (_: null, form: FormData) => {
    const address = String(form.get('email')).trim();
    if (ADDRESS.test(address) && address.length <= 254) await onSend(address);
    else {
      setWrong(true);
      input.current?.focus();
    }
    return null;
  }, null);

  return (
    <form noValidate action={submit} className="flex flex-col gap-4">
      <Field label="Email" error={wrong && 'Enter a valid email address, such as ada@example.com.'}>
        <Input
          ref={input}
          type="email"
          name="email"
          autoComplete="email"
          inputMode="email"
          placeholder="you@example.com"
          className="h-10"
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setWrong(false);
          }}
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={busy}>
        Send me a sign-in link
      </Button>
    </form>
  );
}
