const MAX_CHARS = 64;
const SKILL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Converts an upstream name to a skill name: `getPet-ById` becomes `get_pet_by_id`. Pure. */
export function toSkillName(upstream: string): string {
  const words = upstream
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const name = /^[a-z]/.test(words) ? words : `skill_${words}`;
  return name.slice(0, MAX_CHARS).replace(/_+$/, '') || 'skill';
}

/**
 * Names each skill: the name it has, the one the operator chose, or one derived from the
 * upstream's. The result does not depend on the order of `upstreams`. Pure.
 * @param known names that must not change, by the upstream's names
 * @param renamed the operator's choices, by the upstream's names
 */
export function nameSkills(
  upstreams: readonly string[],
  known: ReadonlyMap<string, string>,
  renamed: ReadonlyMap<string, string>,
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const give = (upstream: string, name: string) => {
    names.set(upstream, name);
    taken.add(name);
  };
  const sorted = [...upstreams].sort();
  for (const upstream of sorted) {
    const given = renamed.get(upstream) ?? known.get(upstream);
    if (given !== undefined && !taken.has(given)) give(upstream, given);
  }
  for (const upstream of sorted) {
    if (names.has(upstream)) continue;
    const base = toSkillName(upstream);
    let name = base;
    for (let i = 2; taken.has(name); i++) {
      const end = `_${i}`;
      name = base.slice(0, MAX_CHARS - end.length) + end;
    }
    give(upstream, name);
  }
  return names;
}

export function isSkillName(name: string): boolean {
  return SKILL_NAME.test(name);
}

/**
 * Whether a name matches one of the patterns, in which `*` matches any text. Pure, in linear time.
 */
export function fitsAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(name, pattern));
}

function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return name === pattern;
  if (!name.startsWith(first)) return false;
  const last = rest.pop() ?? '';
  let at = first.length;
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
