'use client';

import { useState } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { AccountLimits } from '@/server/identity/plans/schema';
import type { TeamSummary } from '@/server/identity/teams/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import type { KeySpend } from '@/server/usage/schema';
import { curlProvision } from '../shared/call-samples';
import { formatCount } from '../shared/format';
import { isStopped, type KeysSituation, readKeyStates } from '../shared/key-state';
import { KEY_SPEND_PERIODS, type KeySpendPeriod } from '../shared/period';
import { problemText } from '../shared/problem';
import { useBlockedKeys, useIsBroke, useKeySpend, useKeys } from '../shared/queries';
import { Segmented } from '../shared/segmented';
import { gatewayError } from '../shared/trpc-provider';
import { useOpenOnce } from '../shared/use-open-once';
import { useOrigin } from '../shared/use-origin';
import { useUrlChoice } from '../shared/use-url-choice';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CodeBlock } from '../ui/code-block';
import type { TableProblem } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { KeyRound, SearchX } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { SearchInput } from '../ui/search-input';
import { readSort, type Sort, sortRows, writeSort } from '../ui/table-sort';
import { TableTools } from '../ui/table-tools';
import { CreateKey } from './create-key';
import { buildKeyColumns, KeysTable } from './keys-table';
import { LimitsLine } from './limits-line';

/** The list is loaded in full; only the table is paged. */
const PAGE_ROWS = 50;
const NEWEST_FIRST: Sort = { by: 'created', direction: 'desc' };

interface KeysPanelProps {
  initial: ApiKey[];
  /** Those whose calls a limit refuses now. */
  blocked: BlockedKey[];
  /** What they spent in the period of the URL. */
  spend: { period: KeySpendPeriod; data: KeySpend };
  balance: BillingBalance | undefined;
  /** What each key may do at most. */
  limits: AccountLimits;
  /** An agent gets a key without sign-up. */
  provisioning: boolean;
  /** The team that owns the keys; null: the person. */
  team: TeamSummary | null;
}

/** All keys of the account. Search and order are in the URL. */
export function KeysPanel(props: KeysPanelProps) {
  const { initial, blocked, spend, balance, limits, provisioning, team } = props;
  const query = useKeys(initial, team?.slug);
  const blockedKeys = useBlockedKeys(blocked, team?.slug);
  const canChange = team === null || team.role !== 'member';
  const keys = query.data ?? initial;
  const [get, set] = useUrlQuery();
  const broke = useIsBroke(balance, team?.slug);
  const [status, chooseStatus] = useUrlChoice('status', ['all', 'active', 'stopped', 'revoked']);
  const [period, choosePeriod] = useUrlChoice('period', KEY_SPEND_PERIODS);
  const spent = useKeySpend(spend.period === period ? spend.data : undefined, {
    ...{ billing: team?.slug, period },
  });
  const [creating, setCreating] = useState(false);
  const [rows, setRows] = useState(PAGE_ROWS);
  useOpenOnce('create', setCreating);

  const q = get('q') ?? '';
  const situation = { blocked: blockedKeys, broke };
  const columns = buildKeyColumns(situation, spent.data, period);
  const sort = readSort(get('sort'), columns) ?? NEWEST_FIRST;
  const found = keys.filter((key) => isFound(key, q));
  const lists = groupByStatus(found, situation);
  const shown = sortRows(lists[status], sort, columns);
  return (
    <>
      <PageHeader
        title={team ? `Keys of ${team.name}` : 'Keys'}
        description={
          team
            ? 'Keys that belong to the team. They charge it without naming it in calls, and stay when a member leaves.'
            : 'API keys for your agents. All keys spend from the same balance; set a limit to cap a key.'
        }
        actions={canChange && <CreateKey team={team} open={creating} onOpenChange={setCreating} />}
      />
      <LimitsLine limits={limits} />
      <Card>
        {keys.length > 0 && (
          <KeyTools
            q={q}
            onSearch={(text) => set({ q: text }, 'typed')}
            status={status}
            onStatus={chooseStatus}
            lists={lists}
            period={period}
            onPeriod={choosePeriod}
          />
        )}
        <section aria-label="Keys">
          <KeysTable
            team={team !== null}
            canChange={canChange}
            columns={columns}
            keys={shown}
            rows={rows}
            onMore={() => setRows(rows + PAGE_ROWS)}
            sort={sort}
            onSort={(next) => set({ sort: writeSort(next) })}
            problem={describeProblem(query)}
            empty={
              q !== '' ? (
                <NotFound q={q} onClear={() => set({ q: null, status: null })} />
              ) : (
                <NoKeys
                  all={keys.length}
                  stopped={lists.stopped.length}
                  status={status}
                  provisioning={provisioning}
                  team={team}
                  onCreate={canChange ? () => setCreating(true) : null}
                />
              )
            }
          />
        </section>
      </Card>
    </>
  );
}

function describeProblem(query: ReturnType<typeof useKeys>): TableProblem | null {
  if (!query.isError) return null;
  return {
    title: 'The keys could not be loaded',
    text: problemText(query.error),
    requestId: gatewayError(query.error)?.request_id,
    onRetry: () => query.refetch(),
    retrying: query.isFetching,
  };
}

type KeyStatus = 'all' | 'active' | 'stopped' | 'revoked';

/** Keys by the choice that shows them. Revoked ones are apart: most people want them gone. */
function groupByStatus(keys: readonly ApiKey[], situation: KeysSituation): Record<KeyStatus, ApiKey[]> {
  const stateOf = readKeyStates(situation);
  const all = keys.filter(({ status }) => status === 'active');
  return {
    all,
    active: all.filter((key) => !isStopped(stateOf(key))),
    stopped: all.filter((key) => isStopped(stateOf(key))),
    revoked: keys.filter(({ status }) => status === 'revoked'),
  };
}

interface KeyToolsProps {
  q: string;
  onSearch: (text: string) => void;
  status: KeyStatus;
  onStatus: (status: KeyStatus) => void;
  /** Keys that match the search. */
  lists: Record<KeyStatus, ApiKey[]>;
  period: KeySpendPeriod;
  onPeriod: (period: KeySpendPeriod) => void;
}

function KeyTools({ q, onSearch, status, onStatus, lists, period, onPeriod }: KeyToolsProps) {
  return (
    <TableTools>
      <SearchInput
        slash
        label="Search keys"
        placeholder="Name, key or tag"
        value={q}
        onValueChange={onSearch}
        className="max-sm:col-span-2 sm:w-72"
      />
      <Segmented
        legend="Show keys"
        value={status}
        options={[
          { value: 'all', label: `All (${lists.all.length})` },
          { value: 'active', label: `Active (${lists.active.length})` },
          { value: 'stopped', label: `Stopped (${lists.stopped.length})` },
          { value: 'revoked', label: `Revoked (${lists.revoked.length})` },
        ]}
        onValueChange={onStatus}
        className="max-sm:col-span-2 max-sm:flex-wrap max-sm:[&>label]:flex-1 max-sm:[&>label]:justify-center max-sm:[&>label]:px-1"
      />
      <Segmented
        legend="Spent in"
        value={period}
        options={[
          { value: '30d', label: '30 d' },
          { value: '7d', label: '7 d' },
          { value: '24h', label: '24 h' },
          { value: 'mtd', label: 'Month' },
        ]}
        onValueChange={onPeriod}
        className="max-sm:col-span-2 max-sm:[&>label]:flex-1 max-sm:[&>label]:justify-center sm:ml-auto"
      />
    </TableTools>
  );
}

/** Whether every word occurs in the name, the mask, the id or a tag. */
function isFound(key: ApiKey, q: string): boolean {
  const text = `${key.name} ${key.key_prefix} ${key.id} ${key.tags.join(' ')}`.toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function NotFound({ q, onClear }: { q: string; onClear: () => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={`No key for “${q}”`}
      action={<Button onClick={onClear}>Show all keys</Button>}
    >
      Search covers names, masks, ids and tags. Revoked keys are under Revoked.
    </EmptyState>
  );
}

interface NoKeysProps {
  all: number;
  stopped: number;
  status: KeyStatus;
  provisioning: boolean;
  team: TeamSummary | null;
  /** Null: the viewer may not. */
  onCreate: (() => void) | null;
}

function NoKeys({ all, stopped, status, team, onCreate, provisioning }: NoKeysProps) {
  const origin = useOrigin();
  if (all > 0 && status === 'revoked')
    return (
      <EmptyState icon={<KeyRound />} title="No revoked keys">
        Keys you revoke stay in your history here.
      </EmptyState>
    );
  if (all > 0 && status === 'stopped')
    return (
      <EmptyState icon={<KeyRound />} title="No stopped keys">
        A key is here while a limit, its expiry or the lack of credit refuses its paid calls.
      </EmptyState>
    );
  if (all > 0)
    return (
      <EmptyState
        icon={<KeyRound />}
        title="No active keys"
        action={onCreate && <Button onClick={onCreate}>Create a new key</Button>}
      >
        {stopped > 0
          ? `${formatCount(stopped, 'key')} ${stopped === 1 ? 'is' : 'are'} stopped: see why under Stopped.`
          : `${formatCount(all, 'key')} ${all === 1 ? 'is' : 'are'} revoked and can no longer be used.`}
      </EmptyState>
    );
  if (team)
    return (
      <EmptyState
        icon={<KeyRound />}
        title="No team keys yet"
        action={
          onCreate && (
            <Button variant="primary" onClick={onCreate}>
              Create the first key
            </Button>
          )
        }
      >
        {onCreate
          ? 'An agent with a team key charges the team without naming it.'
          : 'An owner or admin of the team can create one.'}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<KeyRound />}
      title="No keys yet"
      action={
        <div className="flex flex-col items-center gap-5">
          <Button variant="primary" onClick={onCreate ?? undefined}>
            Create your first key
          </Button>
          {provisioning && (
            <div className="flex max-w-full flex-col gap-2 text-left">
              <p className="text-muted text-sm">
                Or let an agent create one with this command. It then gives you a claim link:
              </p>
              <CodeBlock
                label="Create a key as an agent"
                wrap
                samples={[{ language: 'curl', code: curlProvision(origin) }]}
              />
            </div>
          )}
        </div>
      }
    >
      Create one for your agent and set it as an environment variable.
    </EmptyState>
  );
}
