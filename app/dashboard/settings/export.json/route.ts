import { z } from 'zod';
import { downloadCsv } from '@/server/api/http/csv-download';
import { exportData } from '@/server/lifecycle/export-data';

export const dynamic = 'force-dynamic';

/** Everything about the person as JSON; `security.startExport` allows it once. */
export const GET = (request: Request) =>
  downloadCsv(request, z.object({}), (runtime, actor) => exportData(runtime, actor));
