'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { toast } from '../ui/toast';
import { KeyRulesFields, SpendingLimitFields } from './key-rules-fields';
import { RULE_LABELS, readRules } from './read-rules';

interface KeyRulesDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The field to edit first. */
  focus?: keyof typeof RULE_LABELS | undefined;
}

export function KeyRulesDialog({ apiKey, open, onOpenChange, focus }: KeyRulesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rules: ${apiKey.name}`}
      description="Changes apply from the key’s next request. A key with rules cannot manage the account."
    >
      <RulesForm apiKey={apiKey} focus={focus} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface RulesFormProps extends Pick<KeyRulesDialogProps, 'apiKey' | 'focus'> {
  onDone: () => void;
}

function RulesForm({ apiKey, focus, onDone }: RulesFormProps) {
  const queries = useQueryClient();
  const fields = useRef<HTMLDivElement>(null);
  // Before the dialog focuses its first field: it leaves a focus within alone.
  useEffect(() => {
    if (focus) fields.current?.querySelector<HTMLElement>(`[name="${focus}"]`)?.focus();
  }, [focus]);
  const form = useSubmit(RULE_LABELS, async (read) => {
    await trpc.keys.update.mutate({ id: apiKey.id, ...readRules(read) });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
    onDone();
    toast.success(`Saved the rules of “${apiKey.name}”`);
  });
  return (
    <DialogForm form={form} confirmLabel="Save rules">
      <div ref={fields} className="contents">
        <SpendingLimitFields apiKey={apiKey} fieldError={form.fieldError} />
        <KeyRulesFields apiKey={apiKey} fieldError={form.fieldError} />
      </div>
    </DialogForm>
  );
}
