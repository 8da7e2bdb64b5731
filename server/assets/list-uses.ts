import { describeTool } from '../catalog/tools/describe-tool';
import { NO_FACTS } from '../catalog/tools/tool-facts';
import type { Runtime } from '../core/runtime';
import type { AssetOverview } from './schema';

/** Lists the skills with a required file input, with the field and its media type. */
export function listUses({
  catalog,
  settings,
  versions,
}: Pick<Runtime, 'catalog' | 'settings' | 'versions'>): AssetOverview['uses'] {
  const byokRate = Number(settings.byokRatePpm) / 1e6;
  return catalog.list({ limit: Number.MAX_SAFE_INTEGER }).flatMap((tool) =>
    describeTool(tool, {
      parts: new Set(['input'] as const),
      facts: NO_FACTS,
      byokRate,
      versions,
    }).skills.flatMap((skill) =>
      Object.entries(skill.input?.properties ?? {}).flatMap(([field, schema]) => {
        const mediaType = (schema as { contentMediaType?: unknown }).contentMediaType;
        if (typeof mediaType !== 'string' || !skill.input?.required?.includes(field)) return [];
        const name = `${tool.displayName}: ${skill.displayName}`;
        return [{ tool: tool.name, skill: skill.name, name, field, media_type: mediaType }];
      }),
    ),
  );
}
