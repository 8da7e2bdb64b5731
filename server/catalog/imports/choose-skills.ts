import type { PinnedSkill, SkippedSkill, SourceSnapshot } from './definition';
import type { Presentation } from './imported';
import { isSameHeader } from './read-openapi';
import { fitsAny } from './skill-names';
import { findSchemaProblem } from './validate-json';

/** Skills per tool, to keep catalogue entries readable. */
export const MAX_SKILLS = 100;

interface Choice {
  skills: PinnedSkill[];
  leftOut: SkippedSkill[];
}

/**
 * Selects the skills that the operator wants and that can be called, with the reasons for leaving
 * out the others. Pure.
 * @param scheme the document's credential that the tool has; null if it has none
 */
export async function chooseSkills(
  reading: SourceSnapshot,
  { include, exclude }: Pick<Presentation, 'include' | 'exclude'>,
  scheme: string | null,
): Promise<Choice> {
  const skills: PinnedSkill[] = [];
  const leftOut: SkippedSkill[] = [];
  for (const skill of reading.skills) {
    const { upstream } = skill;
    // Skills that the operator excluded are not reported.
    if (include.length > 0 && !fitsAny(upstream, include)) continue;
    if (fitsAny(upstream, exclude)) continue;
    // Above the limit, the import is refused, so further skills need no check.
    const reason = skills.length > MAX_SKILLS ? null : await findExclusionReason(skill, scheme, reading);
    if (reason === null) skills.push(skill);
    else leftOut.push({ upstream, reason });
  }
  const wanted = reading.leftOut.filter(({ upstream }) => include.length === 0 || fitsAny(upstream, include));
  return { skills, leftOut: [...wanted.filter(({ upstream }) => !fitsAny(upstream, exclude)), ...leftOut] };
}

async function findExclusionReason(
  { request, input, output }: PinnedSkill,
  scheme: string | null,
  { schemes }: SourceSnapshot,
): Promise<string | null> {
  const needed = request?.scheme ?? null;
  if (needed !== null && needed !== scheme && !isSameHeader(schemes, needed, scheme))
    return scheme === null
      ? `It needs the credential ${needed}: add it with --secret NAME.`
      : `It needs the credential ${needed}, but the tool's credential is ${scheme}.`;
  const problem = await findSchemaProblem(input);
  if (problem) return `Its input schema cannot be used: ${problem}`;
  const outputProblem = output && (await findSchemaProblem(output));
  return outputProblem ? `Its output schema cannot be used: ${outputProblem}` : null;
}

/** Returns the document's credential that the skills use; null if none needs one. Pure. */
export function findSchemeOfSkills(skills: readonly PinnedSkill[]): string | null {
  for (const { request } of skills) if (request?.scheme) return request.scheme;
  return null;
}
