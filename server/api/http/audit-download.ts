import { textResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime } from '../../core/runtime';
import { findOperator } from '../../identity/sessions/find-operator';
import { writeAuditCsv } from '../../operations/operator/list-audit';
import { auditFilterSchema } from '../../operations/operator/schema';
import { downloadCsv } from './csv-download';
import { readSession } from './request-context';

/** The audit log as a CSV file for operators; 404 for everyone else. */
export async function downloadAudit(request: Request): Promise<Response> {
  const runtime = getRuntime();
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const credentials = readSession({ header }, runtime.settings.baseUrl, false);
  if (!(await findOperator({ runtime, credentials, transport: 'trpc' })))
    return toFetchResponse(textResponse(404, 'Not found'));
  return await downloadCsv(request, auditFilterSchema, async (_, __, filter) => ({
    filename: 'audit.csv',
    text: writeAuditCsv(runtime, filter),
  }));
}
