'use client';

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import type { Tool } from '@/server/catalog/tools/schema';
import { AvailabilityBadge } from '../shared/availability';
import { SkillPrice, ToolPrice } from '../shared/price';
import { problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { trpc } from '../shared/trpc-provider';
import { Checkbox } from '../ui/checkbox';
import { cn } from '../ui/cn';
import { SearchInput } from '../ui/search-input';
import { Skeleton } from '../ui/skeleton';

interface ToolsPickerProps {
  label: string;
  /** The form field that gets the selection, separated by commas; empty for all tools. */
  name: string;
  initial: readonly string[];
  /** A tool or skill that a call asked for and the rules refused: the first choice. */
  refused?: string | undefined;
  error: ReactNode;
}

/** The value of "Only selected" with nothing selected, which `readRules` refuses. */
const NOTHING = ',';

/** Selects whole tools, or single skills of them, from the catalogue. */
export function ToolsPicker({ label, name, initial, refused, error }: ToolsPickerProps) {
  const id = useId();
  const [only, setOnly] = useState(initial.length > 0);
  const [chosen, setChosen] = useState<readonly string[]>(initial);
  // A whole tool includes its skills.
  const toggle = (entry: string) =>
    setChosen(
      chosen.includes(entry)
        ? chosen.filter((each) => each !== entry)
        : [...chosen.filter((each) => !each.startsWith(`${entry}.`)), entry],
    );
  const selection = chosen.join(',') || NOTHING;
  const value = only ? selection : '';
  // An error is of the choice that was sent: another one is not wrong yet.
  const [judged, setJudged] = useState({ error, value });
  if (judged.error !== error) setJudged({ error, value });
  return (
    <fieldset aria-describedby={`${id}-error`} className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Segmented
          legend={label}
          name={name}
          value={value}
          options={[
            { value: '', label: 'All' },
            { value: selection, label: 'Only selected' },
          ]}
          onValueChange={(value) => setOnly(value !== '')}
        />
        {only && <span className="min-w-0 break-words text-muted">{describeChoice(chosen)}</span>}
      </div>
      {only && refused && !initial.includes(refused) && (
        <Checkbox
          label={<code className="break-all font-mono text-xs">{refused}</code>}
          hint="Asked for, not allowed"
          data-refused
          checked={chosen.includes(refused)}
          onChange={() => toggle(refused)}
        />
      )}
      {only && <ToolSearch chosen={chosen} onToggle={toggle} />}
      <p id={`${id}-error`} role="alert" className="text-danger text-sm empty:hidden">
        {judged.value === value && error}
      </p>
    </fieldset>
  );
}

interface ToolSearchProps {
  chosen: readonly string[];
  onToggle: (entry: string) => void;
}

function ToolSearch({ chosen, onToggle }: ToolSearchProps) {
  const [q, setQ] = useState('');
  const tools = useQuery({
    queryKey: ['tools', 'all'],
    queryFn: async ({ signal }) => (await trpc.tools.list.query({ limit: '500' }, { signal })).tools,
    staleTime: 300_000,
  });
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-md border p-3">
      <SearchInput label="Find a tool" placeholder="Find a tool" value={q} onValueChange={setQ} />
      {tools.isError ? (
        <p role="alert" className="text-danger text-sm">
          {problemText(tools.error)}{' '}
          <button type="button" className="link" onClick={() => tools.refetch()}>
            Try again
          </button>
        </p>
      ) : tools.data ? (
        <>
          <UnknownNames names={findUnknown(tools.data, chosen)} onRemove={onToggle} />
          <ToolRows tools={findTools(tools.data, q)} chosen={chosen} onToggle={onToggle} />
        </>
      ) : (
        <Skeleton className="h-40" />
      )}
    </div>
  );
}

interface UnknownNamesProps {
  names: readonly string[];
  onRemove: (entry: string) => void;
}

/** Selected names that the catalogue does not list, such as those of a tool that was removed. */
function UnknownNames({ names, onRemove }: UnknownNamesProps) {
  if (names.length === 0) return null;
  return (
    <ul aria-label="Not in the catalogue" className="flex flex-col gap-1.5 border-b pb-2">
      {names.map((name) => (
        <li key={name}>
          <Checkbox
            label={<code className="break-all font-mono text-xs">{name}</code>}
            hint="Not in the catalogue"
            checked
            onChange={() => onRemove(name)}
          />
        </li>
      ))}
    </ul>
  );
}

interface ToolRowsProps extends ToolSearchProps {
  tools: readonly Tool[];
}

function ToolRows({ tools, chosen, onToggle }: ToolRowsProps) {
  if (tools.length === 0) return <p className="py-2 text-muted text-sm">No tool has this name.</p>;
  return (
    <ul className="max-h-56 overflow-y-auto">
      {tools.map((tool) => {
        const whole = chosen.includes(tool.name);
        const some = tool.skills.filter((skill) => chosen.includes(`${tool.name}.${skill.name}`));
        return (
          <li key={tool.name} className="py-1">
            <Checkbox
              label={
                <>
                  {tool.displayName} <AvailabilityBadge of={tool} />
                </>
              }
              hint={
                <>
                  <code className="font-mono text-xs">{tool.name}</code>, <ToolPrice tool={tool} />
                </>
              }
              checked={whole}
              onChange={() => onToggle(tool.name)}
            />
            <details open={some.length > 0 || undefined} className={cn('mt-1 ml-6.5', whole && 'hidden')}>
              <summary className="cursor-pointer text-muted text-sm">
                {some.length > 0 ? `${some.length} of ${tool.skills.length} skills` : 'Single skills'}
              </summary>
              <div className="flex flex-col gap-1.5 py-1.5">
                {tool.skills.map((skill) => {
                  const entry = `${tool.name}.${skill.name}`;
                  return (
                    <Checkbox
                      key={entry}
                      label={
                        <>
                          {skill.displayName} <AvailabilityBadge of={skill} />
                        </>
                      }
                      hint={
                        <>
                          <code className="font-mono text-xs">{entry}</code>,{' '}
                          <SkillPrice pricing={skill.pricing} short />
                        </>
                      }
                      checked={chosen.includes(entry)}
                      onChange={() => onToggle(entry)}
                    />
                  );
                })}
              </div>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

function describeChoice(chosen: readonly string[]): string {
  if (chosen.length === 0) return 'None selected yet';
  return chosen.length > 3
    ? `${chosen.slice(0, 3).join(', ')} and ${chosen.length - 3} more`
    : chosen.join(', ');
}

function findUnknown(tools: readonly Tool[], chosen: readonly string[]): string[] {
  const known = new Set(
    tools.flatMap(({ name, skills }) => [name, ...skills.map((skill) => `${name}.${skill.name}`)]),
  );
  return chosen.filter((entry) => !known.has(entry));
}

function findTools(tools: readonly Tool[], q: string): Tool[] {
  const wanted = q.trim().toLowerCase();
  return tools.filter(({ name, displayName, skills }) =>
    [name, displayName, ...skills.map((skill) => skill.name)].some((text) =>
      text.toLowerCase().includes(wanted),
    ),
  );
}
