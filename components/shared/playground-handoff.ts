/** The sessionStorage key of an input for the playground. A URL would be in logs of proxies. */
const STORAGE_KEY = 'playground-handoff';

type JsonObject = Record<string, unknown>;

/** Leaves an input for the playground, which opens the skill next. */
export function handInput(skillId: string, input: JsonObject): void {
  try {
    // An earlier input must not take its place if the storage is full.
    sessionStorage.removeItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ skillId, input }));
  } catch {
    // Storage is full or unavailable: the playground opens without the input.
  }
}

/** Takes the input that was left for a skill, once. */
export function takeInput(skillId: string): JsonObject | null {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null');
    if (!isHandoff(left) || left.skillId !== skillId) return null;
    sessionStorage.removeItem(STORAGE_KEY);
    return left.input;
  } catch {
    return null;
  }
}

function isHandoff(left: unknown): left is { skillId: string; input: JsonObject } {
  return typeof left === 'object' && left !== null && 'skillId' in left && 'input' in left;
}
