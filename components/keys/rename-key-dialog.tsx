'use client';

import { useQueryClient } from '@tanstack/react-query';
import { MAX_KEY_NAME_LENGTH } from '@/server/identity/keys/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import { problemText } from '../shared/problem';
import { queryKey } from '../shared/queries';
import { RenameDialog } from '../shared/rename-dialog';
import { trpc } from '../shared/trpc-provider';
import { toast } from '../ui/toast';

interface RenameKeyDialogProps {
  apiKey: ApiKey;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function RenameKeyDialog({ apiKey, open, onOpenChange }: RenameKeyDialogProps) {
  const queries = useQueryClient();
  const before = apiKey.name;

  async function save(name: string) {
    await trpc.keys.update.mutate({ id: apiKey.id, name });
    await queries.invalidateQueries({ queryKey: queryKey.keys });
  }

  async function rename(name: string) {
    await save(name);
    toast.success(`Renamed to “${name}”`, {
      undo: () => {
        save(before).catch((error) => toast.error('Could not undo', { description: problemText(error) }));
      },
    });
  }

  return (
    <RenameDialog
      open={open}
      onOpenChange={onOpenChange}
      noun="key"
      description={apiKey.key_prefix}
      name={before}
      maxLength={MAX_KEY_NAME_LENGTH}
      rename={rename}
    />
  );
}
