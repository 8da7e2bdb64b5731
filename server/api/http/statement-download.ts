import { statementInput } from '../../money/billing/schema';
import { writeStatementCsv } from '../../money/billing/statement-csv';
import { downloadCsv } from './csv-download';

const query = statementInput.pick({ billing: true, from: true, to: true, kind: true });

/** The statement of the signed-in user's account as a CSV file. */
export function downloadStatement(request: Request): Promise<Response> {
  return downloadCsv(request, query, writeStatementCsv);
}
