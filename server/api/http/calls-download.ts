import { writeCallsCsv } from '../../usage/calls-csv';
import { usageFilterSchema } from '../../usage/schema';
import { downloadCsv } from './csv-download';

const query = usageFilterSchema.omit({ every_account: true });

/** The calls of a signed-in person's account as a file: those that the usage page lists for the same filters. */
export function downloadCalls(request: Request): Promise<Response> {
  return downloadCsv(request, query, writeCallsCsv);
}
