'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { Checkbox } from '../ui/checkbox';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { putSlot } from './queries';

const MAX_LABEL_CHARS = 64;

interface SaveKeyDialogProps {
  slot: AccountRequirement;
  /** The label whose value is replaced; null for a new one. */
  replacing: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Takes a provider key. What is typed lives in its field alone and goes with it: no state and no cache sees it. */
export function SaveKeyDialog({ slot, replacing, open, onOpenChange }: SaveKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={replacing === null ? `Add a key of ${slot.displayName}` : `Replace “${replacing}”`}
      description="Kept encrypted and never shown again."
      className="sm:max-w-lg"
    >
      <SaveForm slot={slot} replacing={replacing} onSaved={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface Problems {
  value?: string | null;
  label?: string | null;
  form?: string | null;
}

type SaveFormProps = Pick<SaveKeyDialogProps, 'slot' | 'replacing'> & { onSaved: () => void };

function SaveForm({ slot, replacing, onSaved }: SaveFormProps) {
  const queries = useQueryClient();
  const [problems, setProblems] = useState<Problems>({});
  const [busy, setBusy] = useState(false);
  const others = slot.entries.length > 0 && replacing === null;

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    const wrong = (name: keyof Problems, text: string) => {
      setProblems({ [name]: text });
      form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus();
    };
    const read = (name: string) => String(new FormData(form).get(name) ?? '').trim();
    const label = replacing ?? read('label');
    // What surrounds a pasted key is not of it.
    const value = read('value');
    if (value === '') return wrong('value', 'Paste the key.');
    if (others && label === '') return wrong('label', 'Name it, to tell it from the other.');
    if (others && slot.entries.some((entry) => entry.label === label))
      return wrong('label', `“${label}” is there already: choose another label, or replace that one.`);
    setBusy(true);
    setProblems({});
    try {
      const saved = await trpc.requirements.save.mutate({
        name: slot.name,
        value,
        label: label || undefined,
        is_default: others ? read('is_default') === 'on' : undefined,
      });
      form.reset();
      putSlot(queries, saved);
      toast.success(`${slot.displayName} key saved`, {
        description: 'Calls that can use it do so from now on.',
      });
      onSaved();
    } catch (error) {
      const fields = { value: fieldProblem(error, 'value'), label: fieldProblem(error, 'label') };
      const named = fields.value ?? fields.label;
      setProblems({ ...fields, form: named ? null : problemText(error) });
      if (named)
        form.querySelector<HTMLInputElement>(`[name="${fields.value ? 'value' : 'label'}"]`)?.focus();
    } finally {
      setBusy(false);
    }
  }

  return (
    <form noValidate autoComplete="off" onSubmit={submit} className="flex flex-col gap-4">
      <p className="rounded-md bg-sunken px-3 py-2.5 text-muted text-sm">
        {slot.setupGuide}{' '}
        <a
          href={slot.acquireUrl}
          target="_blank"
          rel="noreferrer"
          className="link inline-flex items-center gap-1"
        >
          Open {slot.displayName}
          <ExternalLink aria-hidden className="size-3.5" />
        </a>
      </p>
      <Field label="Key" error={problems.value && `Key: ${problems.value}`}>
        <Input
          name="value"
          type="password"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-1p-ignore=""
          data-lpignore="true"
          className="font-mono"
        />
      </Field>
      {replacing === null && (
        <Field
          label="Label"
          optional={!others}
          hint={
            others
              ? 'Tells it from the other: “work”, “test project”.'
              : 'What you call it, if you will save several.'
          }
          error={problems.label && `Label: ${problems.label}`}
        >
          <Input
            name="label"
            maxLength={MAX_LABEL_CHARS}
            autoComplete="off"
            placeholder={others ? undefined : 'default'}
          />
        </Field>
      )}
      {others && (
        <Checkbox
          name="is_default"
          defaultChecked
          label="Use this one"
          hint="Calls use it instead of the present default."
        />
      )}
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problems.form}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" busy={busy}>
          Save key
        </Button>
      </DialogActions>
    </form>
  );
}
