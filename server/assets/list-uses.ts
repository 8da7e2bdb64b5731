import { getSchemas } from '../catalog/tools/describe-tool';
import type { Runtime } from '../core/runtime';
import type { AssetOverview } from './schema';

/** Lists the skills with a required file input, with the field and its media type. */
export function listUses({ catalog }: Pick<Runtime, 'catalog'>): AssetOverview['uses'] {
  return catalog.list({ limit: Number.MAX_SAFE_INTEGER }).flatMap((tool) =>
    tool.skills.flatMap((skill) => {
      const { input } = getSchemas(skill);
      return Object.entries(input?.properties ?? {}).flatMap(([field, schema]) => {
        const mediaType = (schema as { contentMediaType?: unknown }).contentMediaType;
        if (typeof mediaType !== 'string' || !input?.required?.includes(field)) return [];
        const name = `${tool.displayName}: ${skill.displayName}`;
        return [{ tool: tool.name, skill: skill.name, name, field, media_type: mediaType }];
      });
    }),
  );
}
