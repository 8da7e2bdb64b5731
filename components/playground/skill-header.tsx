import Link from 'next/link';
import { SkillPrice } from '../shared/price';
import type { OpenedSkill } from './opened-skill';

/** The skill and its price. */
export function SkillHeader({ opened: { tool, skill } }: { opened: OpenedSkill }) {
  return (
    <div className="flex flex-col gap-1 border-b px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-base">{skill.displayName}</h2>
        <SkillPrice pricing={skill.pricing} short className="text-sm" />
      </div>
      <p className="line-clamp-2 text-muted text-sm" title={skill.description}>
        {skill.description}
      </p>
      <Link href={`/tools/${tool.name}#${skill.name}`} prefetch={false} className="link w-fit text-sm">
        Read about {tool.displayName}
      </Link>
    </div>
  );
}
