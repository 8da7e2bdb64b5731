import { writeCallsCsv } from '../../usage/calls-csv';
import { usageFilterSchema } from '../../usage/schema';
import { downloadCsv } from './csv-download';

const query = usageFilterSchema.omit({ every_account: true });

/** The calls that the usage page lists for the same filters, as a CSV file. */
export function downloadCalls(request: Request): Promise<Response> {
  return downloadCsv(request, query, writeCallsCsv);
}
