'use client';

import { useQueryClient } from '@tanstack/react-query';
import { MAX_DELETED_ASSETS } from '@/server/assets/limits';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { toast } from '../ui/toast';
import { assetKey } from './queries';

interface DeleteAssetsDialogProps {
  files: readonly { assetId: string; filename: string }[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDeleted: (assetIds: readonly string[]) => void;
}

/** Asks for confirmation: deleted files cannot be restored. */
export function DeleteAssetsDialog({ files, open, onOpenChange, onDeleted }: DeleteAssetsDialogProps) {
  const queries = useQueryClient();
  const [only] = files.length === 1 ? files : [];
  const name = only ? `“${only.filename}”` : formatCount(files.length, 'file');

  async function confirm() {
    const ids = files.map(({ assetId }) => assetId);
    try {
      for (let at = 0; at < ids.length; at += MAX_DELETED_ASSETS)
        await trpc.assets.removeMany.mutate({ assetIds: ids.slice(at, at + MAX_DELETED_ASSETS) });
    } catch (error) {
      throw new Error(problemText(error));
    } finally {
      void queries.invalidateQueries({ queryKey: assetKey.all });
    }
    toast.success(`Deleted ${name}`);
    onDeleted(ids);
  }

  return (
    <AlertDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${name}?`}
      consequence={
        <>
          <p>
            {only ? 'Its page and URL stop' : 'Their pages and URLs stop'} working for everyone at once. Calls
            that use {only ? 'it' : 'any of them'} as input fail.
          </p>
          <p className="mt-2">This cannot be undone. No copy is kept.</p>
        </>
      }
      confirmLabel={only ? 'Delete file' : `Delete ${name}`}
      onConfirm={confirm}
    />
  );
}
