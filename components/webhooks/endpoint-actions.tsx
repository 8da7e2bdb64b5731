'use client';

import { useState } from 'react';
import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '../ui/dropdown-menu';
import { Ellipsis, Pause, Pencil, Play, RotateCw, Trash2 } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { toast } from '../ui/toast';
import { useRefreshWebhooks } from './queries';

const EditEndpointDialog = lazyOverlay(() =>
  import('./endpoint-dialogs').then((module) => module.EditEndpointDialog),
);
const RotateSecretDialog = lazyOverlay(() =>
  import('./endpoint-dialogs').then((module) => module.RotateSecretDialog),
);
const DeleteEndpointDialog = lazyOverlay(() =>
  import('./endpoint-dialogs').then((module) => module.DeleteEndpointDialog),
);

type Act = 'edit' | 'rotate' | 'delete';
/** The menu restores the focus to its button after closing; an earlier dialog would lose it. */
const AFTER_MENU_MS = 30;

/** The actions on an endpoint. */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [act, setAct] = useState<Act | null>(null);
  const refresh = useRefreshWebhooks();
  useReturnFocus(act !== null);
  const start = (next: Act) => () => setTimeout(() => setAct(next), AFTER_MENU_MS);
  const dialog = (name: Act) => ({
    endpoint,
    open: act === name,
    onOpenChange: (open: boolean) => setAct(open ? name : null),
  });
  const enabled = endpoint.status === 'enabled';

  async function toggle() {
    try {
      await trpc.webhooks.update.mutate({ id: endpoint.id, enabled: !enabled });
      toast.success(enabled ? 'Endpoint disabled' : 'Endpoint enabled');
    } catch (error) {
      toast.error('The endpoint was not changed', { description: problemText(error) });
    }
    await refresh();
  }

  return (
    <>
      <DropdownMenu
        trigger={
          <Button aria-label="Actions for the endpoint">
            Actions
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <DropdownMenuItem onSelect={start('edit')}>
          <Pencil aria-hidden />
          Edit
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => void toggle()}>
          {enabled ? <Pause aria-hidden /> : <Play aria-hidden />}
          {enabled ? 'Disable' : 'Enable'}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={start('rotate')}>
          <RotateCw aria-hidden />
          Rotate secret
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <DropdownMenuItem danger onSelect={start('delete')}>
          <Trash2 aria-hidden />
          Delete
        </DropdownMenuItem>
      </DropdownMenu>
      {act === 'edit' && <EditEndpointDialog {...dialog('edit')} />}
      {act === 'rotate' && <RotateSecretDialog {...dialog('rotate')} />}
      {act === 'delete' && <DeleteEndpointDialog {...dialog('delete')} />}
    </>
  );
}
