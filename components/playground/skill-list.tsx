'use client';

import { Command } from 'cmdk';
import { AvailabilityBadge } from '../shared/availability';
import { SkillPrice } from '../shared/price';
import { errorText, gatewayError } from '../shared/trpc-provider';
import { ErrorState } from '../ui/error-state';
import { Check } from '../ui/icons';
import { SkeletonRows } from '../ui/skeleton';
import { matchSkill } from './match-skill';
import { useTools } from './queries';

interface SkillListProps {
  chosen: { tool: string; skill: string } | null;
  onChoose: (tool: string, skill: string) => void;
}

/** All skills, grouped by tool. Search covers names and descriptions. */
export function SkillList({ chosen, onChoose }: SkillListProps) {
  const { data, isError, error, refetch, isFetching } = useTools();
  if (isError && !data)
    return (
      <ErrorState
        title="The tools could not be loaded"
        requestId={gatewayError(error)?.request_id}
        onRetry={() => refetch()}
        retrying={isFetching}
      >
        {errorText(error)}
      </ErrorState>
    );
  if (!data) return <SkeletonRows rows={6} label="Loading the tools" />;
  return (
    <Command label="Search tools and skills" loop filter={matchSkill} className="flex min-h-0 flex-col gap-3">
      <Command.Input autoFocus placeholder="Search tools and skills" className="field-control h-10 px-3" />
      <Command.List className="h-80 max-h-[50dvh] overflow-y-auto" label="Skills">
        <Command.Empty className="py-8 text-center text-muted text-sm">
          No skills match. Try fewer words.
        </Command.Empty>
        {data.map((tool) => (
          <Command.Group
            key={tool.name}
            heading={tool.displayName}
            className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
          >
            {tool.skills.map((skill) => (
              <Command.Item
                key={skill.name}
                value={`${tool.name}.${skill.name}`}
                keywords={[tool.displayName, tool.subtitle, skill.displayName, skill.description]}
                onSelect={() => onChoose(tool.name, skill.name)}
                className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-2 text-sm data-[selected=true]:bg-hover"
              >
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{skill.displayName}</span>
                  <span className="block truncate font-mono text-muted text-xs">
                    {tool.name}.{skill.name}
                  </span>
                </span>
                {chosen?.tool === tool.name && chosen.skill === skill.name && (
                  <Check aria-label="Chosen" className="size-4 text-accent" />
                )}
                <AvailabilityBadge of={skill} />
                <SkillPrice pricing={skill.pricing} short className="shrink-0 text-xs" />
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}
