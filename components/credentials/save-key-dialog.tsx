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
import { updateProvider } from './queries';

const MAX_LABEL_CHARS = 64;

interface SaveKeyDialogProps {
  slot: AccountRequirement;
  /** The label of the key to replace; null for a new key. */
  replacing: string | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Saves a provider key. The value exists only in its input field: not in state or in any cache. */
export function SaveKeyDialog({ slot, replacing, open, onOpenChange }: SaveKeyDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={replacing === null ? `Add a key for ${slot.displayName}` : `Replace “${replacing}”`}
      description="Stored encrypted and never shown again."
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
    // Pasted keys often have surrounding whitespace.
    const value = read('value');
    if (value === '') return wrong('value', 'Paste the key.');
    if (others && label === '') return wrong('label', 'Enter a label to distinguish it from your other key.');
    if (others && slot.entries.some((entry) => entry.label === label))
      return wrong('label', `“${label}” already exists. Choose another label, or replace that key.`);
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
      updateProvider(queries, saved);
      toast.success(`${slot.displayName} key saved`, {
        description: 'Calls that support it now use it.',
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
              ? 'Distinguishes this key, such as “work” or “test project”.'
              : 'A name for this key. Useful if you save several.'
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
          label="Use as default"
          hint="Calls use it instead of the current default."
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
