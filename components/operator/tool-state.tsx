import type { OperatorTool } from '@/server/operations/operator/schema';
import { Badge } from '../ui/badge';

const IMPORTED = {
  approved: { tone: 'neutral', word: 'Imported' },
  news: { tone: 'accent', word: 'Update available' },
  changed: { tone: 'danger', word: 'Changed' },
  error: { tone: 'danger', word: 'Upstream error' },
  disabled: { tone: 'neutral', word: 'Imported' },
} as const;

/** Whether a tool can be called; the title says why not. */
export function ToolState({ tool }: { tool: OperatorTool }) {
  const imported = tool.imported && IMPORTED[tool.imported];
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {tool.off ? (
        <Badge tone="warning">Switched off</Badge>
      ) : tool.availability === 'unavailable' ? (
        <Badge tone="danger" title={tool.unavailable ?? undefined}>
          Unavailable
        </Badge>
      ) : tool.availability === 'needs_provider_key' ? (
        <Badge tone="warning" title={tool.unavailable ?? undefined}>
          Needs callers’ keys
        </Badge>
      ) : (
        <Badge tone="success">Available</Badge>
      )}
      {imported && <Badge tone={imported.tone}>{imported.word}</Badge>}
    </span>
  );
}
