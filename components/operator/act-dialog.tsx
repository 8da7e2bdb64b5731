'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { problemText } from '../shared/problem';
import { Button, type ButtonProps } from '../ui/button';
import { Dialog, DialogActions, DialogClose } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';

/** An additional input of an action. */
interface ActField {
  name: string;
  label: string;
  hint?: ReactNode;
  defaultValue?: string;
  decimal?: boolean;
}

interface ActDialogProps {
  /** The label of the button that opens the dialog. */
  label: string;
  icon?: ReactNode;
  variant?: ButtonProps['variant'];
  size?: ButtonProps['size'];
  /** The action and its target: "Freeze “Ada”?" */
  title: string;
  /** What changes, for whom, and whether it can be undone. */
  consequence: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  fields?: readonly ActField[];
  /** Whether a reason is required. */
  reason?: boolean;
  /** The message shown on success. */
  done: string;
  /**
   * @param form an idempotency key: constant while the dialog is open, so that a resubmitted form
   * acts once
   */
  act: (values: Record<string, string>, form: string) => Promise<unknown>;
}

/** Confirms an operator's action by naming its target, and keeps the input if the action fails. */
export function ActDialog({ label, icon, variant, size = 'sm', title, ...form }: ActDialogProps) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={title}
      trigger={
        <Button size={size} variant={variant}>
          {icon}
          {label}
        </Button>
      }
    >
      <ActForm {...form} onDone={() => setOpen(false)} />
    </Dialog>
  );
}

type ActFormProps = Omit<ActDialogProps, 'label' | 'icon' | 'variant' | 'size' | 'title'> & {
  onDone: () => void;
};

function ActForm({
  consequence,
  confirmLabel,
  danger,
  fields = [],
  reason,
  done,
  act,
  onDone,
}: ActFormProps) {
  const queries = useQueryClient();
  const [form] = useState(newForm);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]),
    );
    if (reason && (values.reason ?? '').length < 3) return setProblem('Reason: enter a few words.');
    setBusy(true);
    setProblem(null);
    try {
      await act(values, form);
      onDone();
      toast.success(done);
    } catch (error) {
      setProblem(error instanceof ActProblem ? error.message : problemText(error));
    } finally {
      setBusy(false);
      // Also after a failure: the page must show the current state.
      await queries.invalidateQueries({ queryKey: ['operator'] });
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="text-muted text-sm">{consequence}</div>
      {fields.map(({ name, label, hint, defaultValue, decimal }) => (
        <Field key={name} label={label} hint={hint}>
          <Input
            name={name}
            defaultValue={defaultValue}
            inputMode={decimal ? 'decimal' : undefined}
            autoComplete="off"
          />
        </Field>
      ))}
      {reason && (
        <Field label="Reason" hint="Recorded in the audit log.">
          <Textarea name="reason" rows={2} maxLength={500} />
        </Field>
      )}
      <p role="alert" className="text-danger text-sm empty:hidden">
        {problem}
      </p>
      <DialogActions>
        <DialogClose>
          <Button disabled={busy}>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </form>
  );
}

/** An input error. */
export class ActProblem extends Error {}

/** crypto.randomUUID is unavailable on plain http. */
function newForm(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, '0')).join('');
}
