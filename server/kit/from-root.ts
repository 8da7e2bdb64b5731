import path from 'node:path';

/** The absolute path of a file of the project; its processes start in the project's folder. */
export function fromRoot(file: string): string {
  return path.join(/* turbopackIgnore: true */ process.cwd(), file);
}
