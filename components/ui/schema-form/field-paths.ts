import { chooseControl } from './controls';
import type { JsonSchema } from './json-schema';

/** The path of a part, as the server writes it: `input.items[2].name`. */
export function pathTo(parent: string, name: string | number): string {
  return typeof name === 'number' ? `${parent}[${name}]` : `${parent}.${name}`;
}

/** A problem with a part of the value. */
export interface FieldProblem {
  path: string;
  message: string;
}

/** The paths of all parts with a control, which show their own problems. */
export function fieldPaths(root: JsonSchema, value: unknown, path: string): Set<string> {
  const paths = new Set<string>();
  addPaths(root, root, value, path, paths);
  return paths;
}

function addPaths(root: JsonSchema, schema: unknown, value: unknown, path: string, paths: Set<string>): void {
  paths.add(path);
  const { control } = chooseControl(root, schema, value);
  // A missing object shows one button, not its fields.
  if (control.kind === 'object' && !control.there && schema !== root) return;
  if (control.kind === 'variants' && control.chosen !== undefined) {
    addPaths(root, control.variants[control.chosen], value, path, paths);
    return;
  }
  const parts = 'parts' in control ? (control.parts ?? []) : [];
  for (const part of parts) addPaths(root, part.schema, part.value, pathTo(path, part.name), paths);
}

/** Groups problems by the path that shows them: their own, or the nearest enclosing one. */
export function placeProblems(
  problems: readonly FieldProblem[],
  paths: ReadonlySet<string>,
  top: string,
): Map<string, FieldProblem[]> {
  const placed = new Map<string, FieldProblem[]>();
  for (const problem of problems) {
    const at = nearest(problem.path, paths) ?? top;
    placed.set(at, [...(placed.get(at) ?? []), problem]);
  }
  return placed;
}

function nearest(path: string, paths: ReadonlySet<string>): string | null {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(at.lastIndexOf('.'), at.lastIndexOf('['), 0)))
    if (paths.has(at)) return at;
  return null;
}
