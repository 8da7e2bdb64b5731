import type { Runtime } from '../runtime';
import type { ImportedTool } from './imported';
import { listImported } from './store';

/** The imported tools by name, as they are stored. */
export async function listTools({ db }: Pick<Runtime, 'db'>): Promise<ImportedTool[]> {
  return await listImported(db);
}
