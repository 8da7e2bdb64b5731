'use client';

import { useCallback, useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import { useOpenOnce } from '../shared/use-open-once';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { DropdownMenu, DropdownMenuItem, DropdownMenuSeparator } from '../ui/dropdown-menu';
import {
  Ban,
  CircleDollarSign,
  Ellipsis,
  Pencil,
  RefreshCw,
  ShieldCheck,
  SlidersHorizontal,
} from '../ui/icons';
import { creditsActLabel } from './key-credits-label';
import {
  KeyCreditsDialog,
  KeyRightsDialog,
  KeyRulesDialog,
  RenameKeyDialog,
  RevokeKeyDialog,
  RotateKeyDialog,
} from './key-dialogs';

type Act = 'rename' | 'credits' | 'rules' | 'rights' | 'rotate' | 'revoke';
/**
 * The menu restores the focus to its button after closing. A dialog opened earlier would lose the
 * focus when it closes.
 */
const AFTER_MENU_MS = 30;

interface KeyActionsProps {
  apiKey: ApiKey;
  /** A team owns the key, so it never manages the account. */
  team: boolean;
  /** Shows the label on the button, for the page of one key. */
  text?: boolean;
}

/** The actions on a key. A revoked key can only be renamed. */
export function KeyActions({ apiKey, team, text }: KeyActionsProps) {
  const [act, setAct] = useState<Act | null>(null);
  const [asked, setAsked] = useState<AskedRule>({});
  useReturnFocus(act !== null);
  const start = (next: Act) => () => setTimeout(() => setAct(next), AFTER_MENU_MS);
  const dialog = (name: Act) => ({
    apiKey,
    open: act === name,
    onOpenChange: (open: boolean) => {
      setAct(open ? name : null);
      setAsked({});
    },
  });
  const active = apiKey.status === 'active';
  return (
    <>
      {text && active && <OpenAskedAct onOpen={setAct} onAsked={setAsked} />}
      <DropdownMenu
        trigger={
          <Button
            variant={text ? 'secondary' : 'ghost'}
            size={text ? 'md' : 'sm'}
            aria-label={`Actions for ${apiKey.name}`}
            className={text ? undefined : 'w-8 px-0'}
          >
            {text && 'Actions'}
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        <DropdownMenuItem onSelect={start('rename')}>
          <Pencil aria-hidden />
          Rename
        </DropdownMenuItem>
        {active && (
          <>
            <DropdownMenuItem onSelect={start('credits')}>
              <CircleDollarSign aria-hidden />
              {creditsActLabel(apiKey)}
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={start('rules')}>
              <SlidersHorizontal aria-hidden />
              Edit rules and tags
            </DropdownMenuItem>
            {/* A key with a credit limit or of a team cannot manage the account. */}
            {apiKey.credits === null && !team && (
              <DropdownMenuItem onSelect={start('rights')}>
                <ShieldCheck aria-hidden />
                Change permissions
              </DropdownMenuItem>
            )}
            <DropdownMenuItem onSelect={start('rotate')}>
              <RefreshCw aria-hidden />
              Rotate
            </DropdownMenuItem>
            <DropdownMenuSeparator />
            <DropdownMenuItem danger onSelect={start('revoke')}>
              <Ban aria-hidden />
              Revoke
            </DropdownMenuItem>
          </>
        )}
      </DropdownMenu>
      {act === 'rename' && <RenameKeyDialog {...dialog('rename')} />}
      {act === 'credits' && <KeyCreditsDialog {...dialog('credits')} />}
      {act === 'rules' && <KeyRulesDialog {...dialog('rules')} {...asked} />}
      {act === 'rotate' && <RotateKeyDialog {...dialog('rotate')} />}
      {act === 'rights' && <KeyRightsDialog {...dialog('rights')} />}
      {act === 'revoke' && <RevokeKeyDialog {...dialog('revoke')} />}
    </>
  );
}

/** The field of the rules that a link names, and the tool that was refused. */
interface AskedRule {
  focus?: string | undefined;
  refused?: string | undefined;
}

interface OpenAskedActProps {
  onOpen: (act: Act) => void;
  onAsked: (rule: AskedRule) => void;
}

/**
 * Opens the dialog that a link to the key's page names: `?credits=1`, `?rules=1`,
 * `?rules=allowed_tools:chart.render`.
 */
function OpenAskedAct({ onOpen, onAsked }: OpenAskedActProps) {
  useOpenOnce(
    'rules',
    useCallback(
      (_: true, value: string) => {
        const [focus, refused] = value.split(':');
        onAsked({ focus, refused });
        onOpen('rules');
      },
      [onOpen, onAsked],
    ),
  );
  useOpenOnce(
    'credits',
    useCallback(() => onOpen('credits'), [onOpen]),
  );
  return null;
}
