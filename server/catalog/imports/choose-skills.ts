import type { LeftOut, PinnedSkill, Reading } from './definition';
import type { Presentation } from './imported';
import { fitsAny } from './skill-names';
import { findSchemaProblem } from './validate-json';

/** Of one tool: a catalogue entry that nobody reads to its end helps nobody. */
export const MAX_SKILLS = 100;

interface Choice {
  skills: PinnedSkill[];
  leftOut: LeftOut[];
}

/**
 * Those of a reading that the operator wants and that can be called, with the reasons for the others. Pure.
 * @param scheme the credential of the document that the tool has; null where it has none
 */
export function chooseSkills(
  reading: Reading,
  { include, exclude }: Pick<Presentation, 'include' | 'exclude'>,
  scheme: string | null,
): Choice {
  const skills: PinnedSkill[] = [];
  const leftOut: LeftOut[] = [];
  for (const skill of reading.skills) {
    const { upstream } = skill;
    // What was not asked for is nothing to tell of.
    if (include.length > 0 && !fitsAny(upstream, include)) continue;
    if (fitsAny(upstream, exclude)) continue;
    // Beyond what a tool may have nothing is looked at: it is refused as a whole.
    const reason = skills.length > MAX_SKILLS ? null : reasonAgainst(skill, scheme);
    if (reason === null) skills.push(skill);
    else leftOut.push({ upstream, reason });
  }
  const wanted = reading.leftOut.filter(({ upstream }) => include.length === 0 || fitsAny(upstream, include));
  return { skills, leftOut: [...wanted.filter(({ upstream }) => !fitsAny(upstream, exclude)), ...leftOut] };
}

function reasonAgainst({ request, input, output }: PinnedSkill, scheme: string | null): string | null {
  const needed = request?.scheme ?? null;
  if (needed !== null && needed !== scheme)
    return scheme === null
      ? `It needs the credential ${needed}: give the tool a slot for it with --secret NAME.`
      : `It needs the credential ${needed}, and the tool's slot is for ${scheme}.`;
  const problem = findSchemaProblem(input);
  if (problem) return `Its input schema cannot be used: ${problem}`;
  const outputProblem = output && findSchemaProblem(output);
  return outputProblem ? `Its output schema cannot be used: ${outputProblem}` : null;
}

/** The credential of the document that a tool's skills are asked with; null where they need none. Pure. */
export function schemeOfSkills(skills: readonly PinnedSkill[]): string | null {
  for (const { request } of skills) if (request?.scheme) return request.scheme;
  return null;
}
