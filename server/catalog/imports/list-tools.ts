import type { Runtime } from '../../core/runtime';
import type { ImportedTool } from './imported';
import { findImported, listImported } from './store';

/** The imported tools by name, as they are stored. */
export async function listTools({ db }: Pick<Runtime, 'db'>): Promise<ImportedTool[]> {
  return await listImported(db);
}

/** The imported tool of that name; null where there is none. */
export async function findImportedTool(
  { db }: Pick<Runtime, 'db'>,
  name: string,
): Promise<ImportedTool | null> {
  return await findImported(db, name);
}
