import type { ApiKey } from '@/server/identity/keys/schema';
import { Badge } from '../ui/badge';
import { describeRules } from './read-rules';

/** Tags of a key, and whether it has rules, below its name. */
export function KeyMarks({ apiKey }: { apiKey: ApiKey }) {
  const rules = describeRules(apiKey);
  if (rules.length === 0 && apiKey.tags.length === 0) return null;
  return (
    <span className="mt-1 flex flex-wrap gap-1">
      {rules.length > 0 && <Badge title={rules.join('\n')}>Has rules</Badge>}
      {apiKey.tags.map((tag) => (
        <Badge key={tag} className="max-w-full whitespace-normal break-all">
          {tag}
        </Badge>
      ))}
    </span>
  );
}
