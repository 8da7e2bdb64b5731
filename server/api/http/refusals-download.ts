import { writeRefusalsCsv } from '../../usage/refusals-csv';
import { usageFilterSchema } from '../../usage/schema';
import { downloadCsv } from './csv-download';

const query = usageFilterSchema.omit({ every_account: true });

/** The refused calls that the usage page sums up for the same filters, as a CSV file. */
export function downloadRefusals(request: Request): Promise<Response> {
  return downloadCsv(request, query, writeRefusalsCsv);
}
