import type { Tool } from '@/server/catalog/tools/schema';
import { AvailabilityBadge } from '../shared/availability';
import { formatCount } from '../shared/format';
import { ToolPrice } from '../shared/price';
import { formatShare, Rating } from '../shared/rating';
import { Badge } from '../ui/badge';
import { IntentLink } from '../ui/intent-link';

/** A tool in the catalogue. The whole card is clickable; the link is the tool's name. */
export function ToolCard({ tool, level = 2 }: { tool: Tool; level?: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3';
  const names = tool.skills.map((skill) => skill.name);
  return (
    <article className="relative flex min-w-0 flex-col gap-2 rounded-lg border bg-surface p-4 transition-colors focus-within:border-line-strong hover:border-line-strong sm:p-5">
      <div className="flex items-start justify-between gap-3">
        <Heading className="min-w-0 font-semibold text-base">
          <IntentLink
            href={`/tools/${encodeURIComponent(tool.name)}`}
            className="rounded-sm after:absolute after:inset-0 after:rounded-lg focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            {tool.displayName}
          </IntentLink>
        </Heading>
        {tool.availability === 'ready' ? (
          tool.categories[0] && <Badge>{tool.categories[0]}</Badge>
        ) : (
          <AvailabilityBadge of={tool} />
        )}
      </div>
      <p className="text-muted text-sm">{tool.subtitle}</p>
      <p className="line-clamp-2 font-mono text-muted text-xs" title={names.join(', ')}>
        {names.join(' · ')}
      </p>
      <div className="mt-auto flex flex-col gap-1 border-t pt-3 text-sm">
        <ToolPrice tool={tool} />
        <div className="flex flex-wrap justify-between gap-x-4">
          <Record tool={tool} />
        </div>
      </div>
    </article>
  );
}

/** The tool's rating, and its success rate or few calls; only `New` if it has neither. */
function Record({ tool: { rating, stats } }: { tool: Tool }) {
  if (rating.count === 0 && stats.calls_30d === 0)
    return <span className="text-muted">New: no calls yet</span>;
  return (
    <>
      <Rating rating={rating} />
      {stats.success_rate !== null ? (
        <span
          className="whitespace-nowrap text-muted"
          title="Of the calls with valid input in the last 30 days"
        >
          {formatShare(stats.success_rate)} succeed
        </span>
      ) : (
        stats.calls_30d > 0 && (
          <span className="whitespace-nowrap text-muted" title="In the last 30 days">
            {formatCount(stats.calls_30d, 'call')}
          </span>
        )
      )}
    </>
  );
}
