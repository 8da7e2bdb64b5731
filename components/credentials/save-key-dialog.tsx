'use client';

import { useQueryClient } from '@tanstack/react-query';
import { MAX_LABEL_LENGTH } from '@/server/catalog/credentials/limits';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { DialogForm } from '../shared/dialog-form';
import { trpc } from '../shared/trpc-provider';
import { InputProblem, useSubmit } from '../shared/use-submit';
import { Checkbox } from '../ui/checkbox';
import { Dialog } from '../ui/dialog';
import { Field } from '../ui/field';
import { ExternalLink } from '../ui/icons';
import { Input } from '../ui/input';
import { toast } from '../ui/toast';
import { updateProvider } from './queries';

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

type SaveFormProps = Pick<SaveKeyDialogProps, 'slot' | 'replacing'> & { onSaved: () => void };

/** Saves the key of the form; with `others`, it needs a label to distinguish it from them. */
function useSaveKey({ slot, replacing, onSaved }: SaveFormProps, others: boolean) {
  const queries = useQueryClient();
  return useSubmit({ value: 'Key', label: 'Label' }, async (read, element) => {
    const label = replacing ?? read('label');
    // Pasted keys often have surrounding whitespace.
    const value = read('value');
    if (value === '') throw new InputProblem('Key: Paste the key.', 'value');
    if (others && label === '')
      throw new InputProblem('Label: Enter a label to distinguish it from your other key.', 'label');
    if (others && slot.entries.some((entry) => entry.label === label))
      throw new InputProblem(
        `Label: “${label}” already exists. Choose another label, or replace that key.`,
        'label',
      );
    const saved = await trpc.requirements.save.mutate({
      name: slot.name,
      value,
      label: label || undefined,
      is_default: others ? read('is_default') === 'on' : undefined,
    });
    element.reset();
    updateProvider(queries, saved);
    toast.success(`${slot.displayName} key saved`, {
      description: 'Calls that support it now use it.',
    });
    onSaved();
  });
}

function SaveForm({ slot, replacing, onSaved }: SaveFormProps) {
  const others = slot.entries.length > 0 && replacing === null;
  const form = useSaveKey({ slot, replacing, onSaved }, others);
  return (
    <DialogForm form={form} confirmLabel="Save key" autoComplete="off">
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
      <Field label="Key" error={form.fieldError('value')}>
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
          error={form.fieldError('label')}
        >
          <Input
            name="label"
            maxLength={MAX_LABEL_LENGTH}
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
    </DialogForm>
  );
}
