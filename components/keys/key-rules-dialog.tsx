'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '@/server/identity/keys/schema';
import { DialogForm } from '../shared/dialog-form';
import { queryKey } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { useSubmit } from '../shared/use-submit';
import { Dialog } from '../ui/dialog';
import { toast } from '../ui/toast';
import { KeyRulesFields } from './key-rules-fields';
import { RULE_LABELS, readRules } from './read-rules';

interface KeyRulesDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function KeyRulesDialog({ apiKey, open, onOpenChange }: KeyRulesDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Rules: ${apiKey.name}`}
      description="Changes apply from the key’s next request. A key with rules cannot manage the account."
    >
      <RulesForm apiKey={apiKey} onDone={() => onOpenChange(false)} />
    </Dialog>
  );
}

function RulesForm({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const queries = useQueryClient();
  const form = useSubmit(RULE_LABELS, async (read) => {
    await trpc.keys.update.mutate({ id: apiKey.id, ...readRules(read) });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
    onDone();
    toast.success(`Saved the rules of “${apiKey.name}”`);
  });
  return (
    <DialogForm form={form} confirmLabel="Save rules">
      <KeyRulesFields apiKey={apiKey} fieldError={form.fieldError} />
    </DialogForm>
  );
}
