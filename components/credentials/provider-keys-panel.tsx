'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { AccountRequirement } from '@/server/catalog/credentials/schema';
import { problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { useUrlChoice } from '../shared/use-url-choice';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Plug, SearchX } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { PageHeader } from '../ui/page-header';
import { SearchInput } from '../ui/search-input';
import { toast } from '../ui/toast';
import { ProviderCard, type ProviderKeyAct } from './provider-card';
import type { ProviderFacts } from './provider-facts';
import { updateProvider, useProviderKeys } from './queries';

const SaveKeyDialog = lazyOverlay(() => import('./save-key-dialog').then((module) => module.SaveKeyDialog));
const RemoveKeyDialog = lazyOverlay(() =>
  import('./remove-key-dialog').then((module) => module.RemoveKeyDialog),
);

interface ProviderKeysPanelProps {
  initial: AccountRequirement[];
  facts: Record<string, ProviderFacts>;
  /** `5%`: the share of the price that a call with BYOK costs. */
  share: string | null;
}

/** One card per provider: its saved keys and the tools that use them. */
export function ProviderKeysPanel({ initial, facts, share }: ProviderKeysPanelProps) {
  const query = useProviderKeys(initial);
  const slots = query.data ?? initial;
  const [get, set] = useUrlQuery();
  const [show, chooseShow] = useUrlChoice('show', ['all', 'saved']);
  const [act, setAct] = useState<ProviderKeyAct | null>(null);
  useReturnFocus(act !== null);
  const q = get('q') ?? '';
  const saved = slots.filter((slot) => slot.configured);
  const shown = (show === 'saved' ? saved : slots).filter((slot) => isFound(slot, q));
  const acted = slots.find((slot) => slot.name === act?.slot);

  // A link may open the dialog for a missing key; the parameter is removed so that going back does
  // not reopen it.
  const wanted = get('add');
  useEffect(() => {
    if (wanted === null) return;
    setAct({ kind: 'add', slot: wanted });
    set({ add: null });
  }, [wanted, set]);

  const choose = useMakeDefault();

  return (
    <>
      <PageHeader
        title="Provider keys"
        description={`Optional. Bring your own key (BYOK): calls that use it cost ${share ?? 'a share'} of their price, and the provider bills you directly for its usage.`}
      />
      <ProviderFilter
        count={{ all: slots.length, saved: saved.length }}
        show={show}
        onShow={chooseShow}
        q={q}
        onSearch={(text) => set({ q: text }, 'typed')}
      />
      {query.isError && <LoadProblem query={query} />}
      {shown.length === 0 ? (
        <Card>
          <NothingShown searching={q !== ''} onAll={() => set({ q: null, show: null })} />
        </Card>
      ) : (
        <div className="flex flex-col gap-4">
          {shown.map((slot) => (
            <ProviderCard
              key={slot.name}
              slot={slot}
              facts={facts[slot.name]}
              busy={choose.isPending}
              onAct={setAct}
              onDefault={(label) => choose.mutate({ name: slot.name, label })}
            />
          ))}
        </div>
      )}
      <p className="max-w-3xl text-muted text-sm">
        These provider keys belong to your personal account. Calls made with your API keys use them, even if a
        team pays. An agent can also send a provider key with a single call, in the header{' '}
        <code className="font-mono text-ink text-xs">X-Provider-Key-openai</code>. That key is not stored.
      </p>
      {acted && act && <KeyDialog slot={acted} act={act} onClose={() => setAct(null)} />}
    </>
  );
}

/** Changes which saved key calls use. */
function useMakeDefault() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (chosen: { name: string; label: string }) => trpc.requirements.makeDefault.mutate(chosen),
    onSuccess: (slot, { label }) => {
      updateProvider(queries, slot);
      toast.success(`Calls now use “${label}” for ${slot.displayName}`);
    },
    onError: (error) => toast.error('Could not change the default', { description: problemText(error) }),
  });
}

interface ProviderFilterProps {
  count: { all: number; saved: number };
  show: 'all' | 'saved';
  onShow: (show: 'all' | 'saved') => void;
  q: string;
  onSearch: (text: string) => void;
}

function ProviderFilter({ count, show, onShow, q, onSearch }: ProviderFilterProps) {
  return (
    <Card className="flex flex-wrap items-center gap-3 px-4 py-3 sm:px-5">
      <Segmented
        legend="Show providers"
        value={show}
        options={[
          { value: 'all', label: `All (${count.all})` },
          { value: 'saved', label: `Saved (${count.saved})` },
        ]}
        onValueChange={onShow}
      />
      <SearchInput
        label="Search providers and tools"
        placeholder="Search providers and tools"
        slash
        value={q}
        onValueChange={onSearch}
        className="w-full sm:ml-auto sm:w-72 [&_input]:h-9"
      />
    </Card>
  );
}

function LoadProblem({ query }: { query: ReturnType<typeof useProviderKeys> }) {
  return (
    <Card>
      <ErrorState
        title="The keys could not be loaded"
        requestId={gatewayError(query.error)?.request_id}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      >
        {problemText(query.error)}
      </ErrorState>
    </Card>
  );
}

interface KeyDialogProps {
  slot: AccountRequirement;
  act: ProviderKeyAct;
  onClose: () => void;
}

function KeyDialog({ slot, act, onClose }: KeyDialogProps) {
  const close = (open: boolean) => !open && onClose();
  if (act.kind === 'remove')
    return <RemoveKeyDialog slot={slot} label={act.label} open onOpenChange={close} />;
  return (
    <SaveKeyDialog
      slot={slot}
      replacing={act.kind === 'replace' ? act.label : null}
      open
      onOpenChange={close}
    />
  );
}

function isFound(slot: AccountRequirement, q: string): boolean {
  const words = q.trim().toLowerCase();
  const text = [slot.name, slot.displayName, slot.description, ...slot.registeredBy].join(' ').toLowerCase();
  return text.includes(words);
}

function NothingShown({ searching, onAll }: { searching: boolean; onAll: () => void }) {
  return (
    <EmptyState
      icon={searching ? <SearchX /> : <Plug />}
      title={searching ? 'No providers match' : 'No keys saved yet'}
      action={<Button onClick={onAll}>Show all providers</Button>}
    >
      {searching
        ? 'Search for a provider, such as OpenAI, or a tool that uses one.'
        : 'Provider keys are optional. Calls that use your own key cost less.'}
    </EmptyState>
  );
}
