'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { findField, useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { toast } from '../ui/toast';
import { MainRulesFields, OtherRulesFields } from './key-rules-fields';
import { RULE_LABELS, readRules } from './read-rules';

interface KeyRulesDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The name of the field to edit first. */
  focus?: string | undefined;
  /** A tool or skill that a call asked for and the rules refused. */
  refused?: string | undefined;
}

export function KeyRulesDialog({ apiKey, open, onOpenChange, ...first }: KeyRulesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rules: ${apiKey.name}`}
      description="Changes apply from the key’s next request. A key with rules cannot manage the account."
    >
      <RulesForm apiKey={apiKey} {...first} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface RulesFormProps extends Pick<KeyRulesDialogProps, 'apiKey' | 'focus' | 'refused'> {
  onDone: () => void;
}

function RulesForm({ apiKey, focus, refused, onDone }: RulesFormProps) {
  const queries = useQueryClient();
  const fields = useRef<HTMLDivElement>(null);
  // Before the dialog focuses its first field: it leaves a focus within alone.
  useEffect(() => {
    const at = fields.current;
    if (!focus || !at) return;
    const field = at.querySelector<HTMLElement>('[data-refused]') ?? findField(at, focus);
    field?.focus();
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
        <MainRulesFields apiKey={apiKey} refused={refused} fieldError={form.fieldError} />
        <OtherRulesFields apiKey={apiKey} fieldError={form.fieldError} />
      </div>
    </DialogForm>
  );
}
