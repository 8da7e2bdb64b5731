'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { IssuedApiKey } from '@/server/identity/keys/schema';
import { callSamples } from '../shared/call-samples';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { SecretReveal } from '../ui/secret-reveal';
import { readAmount } from '../shared/amount';
import { fieldProblem, problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { envLines, exportKey, FIRST_CALL } from '../shared/snippets';

const LIMIT_FIELD = 'Credit limit';
const MAX_NAME_LENGTH = 100;

interface CreateKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Where the focus goes when it closes. */
  opener: RefObject<HTMLButtonElement | null>;
}

/**
 * Asks for name and limit, then shows the secret once. The secret lives in this component's state alone (no query or
 * mutation cache sees it) and is dropped when the dialog closes.
 */
export function CreateKeyDialog({ open, onOpenChange, opener }: CreateKeyDialogProps) {
  const [created, setCreated] = useState<IssuedApiKey | null>(null);

  function change(next: boolean) {
    if (!next) {
      setCreated(null);
      // After the dialog has let go of the focus: it has no trigger of its own to give it back to.
      setTimeout(() => opener.current?.focus());
    }
    onOpenChange(next);
  }

  return (
    <Dialog
      open={open}
      onOpenChange={change}
      sticky={created !== null}
      title={created ? 'Your new key' : 'Create a key'}
      description={created ? created.name : 'It works at once, and spends from this account’s balance.'}
      className={created ? 'sm:top-[6vh] sm:max-h-[88vh] sm:max-w-2xl' : undefined}
    >
      {created ? <Created created={created} /> : <CreateForm onCreated={setCreated} />}
    </Dialog>
  );
}

interface Problems {
  name?: string | null;
  credits?: string | null;
  form?: string | null;
}

function CreateForm({ onCreated }: { onCreated: (key: IssuedApiKey) => void }) {
  const queries = useQueryClient();
  const formId = useId();
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const data = new FormData(form);
    const name = String(data.get('name') ?? '').trim();
    const limit = String(data.get('credits') ?? '').trim();
    const amount = limit === '' ? null : readAmount(LIMIT_FIELD, limit);
    if (amount && 'problem' in amount) {
      setProblems({ credits: amount.problem });
      form.querySelector<HTMLInputElement>('[name=credits]')?.focus();
      return;
    }
    setBusy(true);
    setProblems({});
    try {
      const created = await trpc.keys.create.mutate({
        name: name || undefined,
        credits: amount?.usd,
      });
      // Without an Idempotency-Key, which only REST has, nothing is given again: the secret is always there.
      if (typeof created.secret === 'string') onCreated({ ...created, secret: created.secret });
      await queries.invalidateQueries({ queryKey: queryKey.keys });
    } catch (error) {
      const fields = { name: fieldProblem(error, 'name'), credits: fieldProblem(error, 'credits') };
      const named = fields.name || fields.credits;
      setProblems({
        name: fields.name && `Name: ${fields.name}`,
        credits: fields.credits && `${LIMIT_FIELD}: ${fields.credits}`,
        form: named ? null : problemText(error),
      });
    } finally {
      setBusy(false);
    }
  }

  return (
    <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label="Name" hint="Where it is used, so that you know it again." error={problems.name}>
        <Input name="name" maxLength={MAX_NAME_LENGTH} autoComplete="off" placeholder="API key" />
      </Field>
      <Field
        label={LIMIT_FIELD}
        optional
        hint="The most this key may spend, in dollars. Empty: no limit but the balance."
        error={problems.credits}
      >
        <Input name="credits" inputMode="decimal" autoComplete="off" placeholder="5.00" />
      </Field>
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problems.form}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={busy}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}

function Created({ created }: { created: IssuedApiKey }) {
  const top = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone with the form: the focus goes to the secret instead of nowhere.
  useEffect(() => top.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={top} tabIndex={-1} className="flex min-w-0 flex-col gap-4 focus:outline-none">
      <SecretReveal secret={created.secret} label="API key" />
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Put it into the environment, so that it is never in your code</p>
        <CodeBlock
          label="Key as an environment variable"
          wrap
          samples={[
            { language: 'shell', code: exportKey(created.secret) },
            { language: '.env', code: envLines(window.location.origin, created.secret) },
          ]}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <p className="font-medium text-sm">Make a first call: it works as it is, and is free</p>
        <CodeBlock
          label="First call with the new key"
          samples={callSamples(window.location.origin, FIRST_CALL)}
          bodyClassName="max-h-60"
        />
      </div>
      <DialogActions>
        <DialogClose>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </div>
  );
}
