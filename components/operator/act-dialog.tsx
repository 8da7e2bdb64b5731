'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@/server/operations/operator/limits';
import { DialogForm } from '../shared/dialog-form';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Button, type ButtonProps } from '../ui/button';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { MomentField } from '../ui/moment-field';
import { Select } from '../ui/select';
import { Textarea } from '../ui/textarea';
import { toast } from '../ui/toast';
import { useMayAct } from './may-act';

/** An additional input of an action. */
export interface ActField {
  name: string;
  label: string;
  hint?: ReactNode;
  defaultValue?: string;
  decimal?: boolean;
  /** A moment instead of text, with the words for none. */
  moment?: { none: string };
  /** A choice of these. */
  options?: readonly { value: string; label: string }[];
  /** A text of several lines. */
  rows?: number;
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
  if (!useMayAct()) return null;
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
  const [token] = useState(newForm);
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
  if (reason) labels.reason = 'Reason';
  const form = useSubmit(labels, async (read) => {
    const values = Object.fromEntries(Object.keys(labels).map((name) => [name, read(name)]));
    if (reason && read('reason').length < MIN_REASON_LENGTH)
      throw new InputProblem('Reason: enter a few words.');
    try {
      await act(values, token);
    } finally {
      // Also after a failure: the page must show the current state.
      void queries.invalidateQueries({ queryKey: ['operator'] });
    }
    onDone();
    toast.success(done);
  });

  return (
    <DialogForm form={form} confirmLabel={confirmLabel} danger={danger}>
      <div className="text-muted text-sm">{consequence}</div>
      {fields.map((field) => (
        <Field key={field.name} label={field.label} hint={field.hint} error={form.fieldError(field.name)}>
          <ActInput {...field} />
        </Field>
      ))}
      {reason && (
        <Field label="Reason" hint="Recorded in the audit log." error={form.fieldError('reason')}>
          <Textarea name="reason" rows={2} maxLength={MAX_REASON_LENGTH} />
        </Field>
      )}
    </DialogForm>
  );
}

/** What a field adds to its control. */
interface ControlProps {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

function ActInput({
  name,
  defaultValue,
  decimal,
  moment,
  options,
  rows,
  label: _label,
  hint: _hint,
  ...rest
}: ActField & ControlProps) {
  if (options)
    return (
      <Select name={name} defaultValue={defaultValue} {...rest}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    );
  if (moment) return <MomentField name={name} none={moment.none} defaultValue={null} {...rest} />;
  if (rows !== undefined) return <Textarea name={name} rows={rows} defaultValue={defaultValue} {...rest} />;
  return (
    <Input
      name={name}
      defaultValue={defaultValue}
      inputMode={decimal ? 'decimal' : undefined}
      autoComplete="off"
      {...rest}
    />
  );
}

/** crypto.randomUUID is unavailable on plain http. */
function newForm(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, '0')).join('');
}
