import type { Runtime } from '../../core/runtime';
import type { ImportedTool } from './imported';
import { findImported, listImported } from './store';

/** Lists the stored imported tools by name. */
export async function listTools({ db }: Pick<Runtime, 'db'>): Promise<ImportedTool[]> {
  return await listImported(db);
}

/** Finds an imported tool by name; null if there is none. */
export async function findImportedTool(
  { db }: Pick<Runtime, 'db'>,
  name: string,
): Promise<ImportedTool | null> {
  return await findImported(db, name);
}
