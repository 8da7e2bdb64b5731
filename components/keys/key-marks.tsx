import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';
import { describeScope } from './read-rules';

/** What a key is restricted to, and its tags, below its name. */
export function KeyMarks({ apiKey }: { apiKey: ApiKey }) {
  const { tags, allowed_tools: tools, allowed_ips: networks } = apiKey;
  const scope = describeScope(apiKey);
  if (scope.length === 0 && tags.length === 0) return null;
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1">
      {scope.length > 0 && (
        <span
          className="font-normal text-muted text-xs"
          title={[...(tools ?? []), ...(networks ?? [])].join('\n')}
        >
          Only {scope.join(', ')}
        </span>
      )}
      {tags.map((tag) => (
        <Badge key={tag} className="max-w-full whitespace-normal break-all">
          {tag}
        </Badge>
      ))}
    </span>
  );
}
