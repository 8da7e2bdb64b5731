'use client';

import { type SubmitEvent, useRef, useState } from 'react';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';

/** Looks like one address; whether it exists, only the mail can tell. */
const ADDRESS = /^[^\s@,"<>()]+@[^\s@,"<>()]+$/;

/** Asks for an address and has a sign-in link sent to it. */
export function EmailForm({ onSend }: { onSend: (email: string) => Promise<void> }) {
  const [email, setEmail] = useState('');
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const address = email.trim();
    if (!ADDRESS.test(address) || address.length > 254) {
      setWrong(true);
      input.current?.focus();
      return;
    }
    setBusy(true);
    await onSend(address);
    setBusy(false);
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="E-mail" error={wrong && 'Write one whole address, such as ada@example.com.'}>
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
