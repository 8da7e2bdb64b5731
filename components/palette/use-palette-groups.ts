'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type { Tool } from '@/server/catalog/tools/schema';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import { accountHref, accountName, useChosenSlug } from '../shared/account-scope';
import { availabilityLabel } from '../shared/availability-label';
import { KEY_STATE_WORDS, type KeyState, readKeyStates } from '../shared/key-state';
import { useBalance, useIsBroke } from '../shared/queries';
import { useDebounced } from '../shared/use-debounced';
import { Ban, Clock, Keyboard, KeyRound, LogOut, ShieldCheck, User, Users, Wrench } from '../ui/icons';
import { formatCents } from '../ui/money';
import { actionEntries, type Entry, idEntry, pageEntries } from './entries';
import { findMatches } from './find-matches';
import { usePaletteBlocked, usePaletteKeys, usePaletteOperator, useToolSearch } from './queries';
import { type RecentPlace, recentPlaces } from './recent';

const TYPING_PAUSE_MS = 150;
const SHOWN_KEYS = 5;

interface Group {
  heading: string;
  entries: Entry[];
}

/**
 * The palette's entries for the typed text: recent places, then pages, actions, accounts and keys,
 * then tools.
 */
export function usePaletteGroups(text: string): { groups: Group[]; searching: boolean; failed: boolean } {
  const slug = useChosenSlug();
  const pathname = usePathname();
  const params = useSearchParams();
  const [recent] = useState(recentPlaces);
  const q = text.trim();
  const asked = useDebounced(q, TYPING_PAUSE_MS);
  const keys = usePaletteKeys().data ?? [];
  const stateOf = readKeyStates({
    blocked: usePaletteBlocked().data ?? [],
    broke: useIsBroke(undefined, undefined),
  });
  const accounts = useBalance(undefined).data?.accounts ?? [];
  const operator = usePaletteOperator();
  const search = useToolSearch(asked);
  const id = idEntry(q, slug);
  const tools = q === '' || id ? [] : (search.data?.tools ?? []);
  const known: Group[] =
    q === ''
      ? [{ heading: 'Recent', entries: recent.map(recentEntry) }]
      : [{ heading: 'Id', entries: id ? [id] : [] }];
  const groups = [
    ...known,
    { heading: 'Pages', entries: findMatches([...pageEntries(slug), ...(operator ? [OPERATOR] : [])], q) },
    { heading: 'Actions', entries: findMatches([...actionEntries(slug), HELP, SIGN_OUT], q) },
    {
      heading: 'Accounts',
      entries: accounts.length > 1 ? findMatches(accounts.map(accountEntry(pathname, params)), q) : [],
    },
    {
      heading: 'Keys',
      entries: q === '' ? [] : findMatches(keys.map(keyEntry(stateOf)), q).slice(0, SHOWN_KEYS),
    },
    { heading: 'Tools', entries: tools.map(toolEntry) },
    { heading: 'Operator', entries: operator ? accountSearch(q) : [] },
  ].filter(({ entries }) => entries.length > 0);
  const wanted = q !== '' && !id;
  return {
    groups,
    searching: wanted && (q !== asked || search.isFetching),
    failed: wanted && search.isError,
  };
}

const OPERATOR: Entry = {
  id: 'page:/operator',
  label: 'Operator',
  words: 'admin accounts tools jobs webhooks reconcile audit',
  icon: ShieldCheck,
  act: { kind: 'go', href: '/operator' },
};

/** Also finds the account of a call, request, payment or receipt. A secret must not be in a URL. */
function accountSearch(q: string): Entry[] {
  if (q === '' || q.startsWith('tg_live_')) return [];
  return [
    {
      id: 'operator:accounts',
      label: `Search accounts for ${q}`,
      icon: ShieldCheck,
      act: { kind: 'go', href: `/operator/accounts?q=${encodeURIComponent(q)}` },
    },
  ];
}

const HELP: Entry = {
  id: 'help',
  label: 'Keyboard shortcuts',
  words: 'help keys',
  keys: ['?'],
  icon: Keyboard,
  act: { kind: 'help' },
};

const SIGN_OUT: Entry = {
  id: 'sign-out',
  label: 'Sign out',
  words: 'log out leave',
  icon: LogOut,
  act: { kind: 'sign-out' },
};

const RECENT_ICONS = { page: Clock, key: KeyRound, tool: Wrench, account: Users };

function recentEntry(place: RecentPlace): Entry {
  return {
    id: `recent:${place.href}`,
    label: place.label,
    icon: RECENT_ICONS[place.kind],
    act: { kind: 'go', href: place.href },
    recent: place,
  };
}

function keyEntry(stateOf: (key: ApiKey) => KeyState) {
  return (key: ApiKey): Entry => {
    const { id, name, key_prefix } = key;
    const href = `/dashboard/keys/${id}`;
    const revoked = key.status === 'revoked';
    const state = stateOf(key);
    const shown = state === 'active' || state === 'expiring' ? null : KEY_STATE_WORDS[state].toLowerCase();
    return {
      id: `key:${id}`,
      label: name,
      words: `key ${key_prefix} ${id}`,
      note: shown === null ? key_prefix : `${key_prefix}, ${shown}`,
      icon: revoked ? Ban : KeyRound,
      act: { kind: 'go', href },
      recent: { href, label: name, kind: 'key' },
    };
  };
}

function accountEntry(pathname: string, params: URLSearchParams) {
  return (account: BillingBalance['accounts'][number]): Entry => {
    const label = `Switch to ${accountName(account)}`;
    const href = accountHref(pathname, params, account.slug);
    return {
      id: `account:${account.id}`,
      label,
      words: `${accountName(account)} ${account.slug ?? ''} account team billing`,
      note: formatCents(account.available_usd, 'auto', true),
      icon: account.type === 'team' ? Users : User,
      act: { kind: 'go', href },
    };
  };
}

function toolEntry(tool: Tool): Entry {
  const { name, displayName, subtitle } = tool;
  const label = availabilityLabel(tool);
  const href = `/tools/${encodeURIComponent(name)}`;
  return {
    id: `tool:${name}`,
    label: displayName,
    note: label === null ? subtitle : `${subtitle} · ${label}`,
    icon: Wrench,
    act: { kind: 'go', href },
    otherAct: { kind: 'go', href: `/dashboard/playground?tool=${encodeURIComponent(name)}` },
    recent: { href, label: displayName, kind: 'tool' },
  };
}
