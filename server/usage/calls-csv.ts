import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { csvLine } from '../kit/csv';
import { readFilter } from './get-report';
import { walkCalls } from './list-calls';
import type { UsageCall, UsageFilter } from './schema';

/** Calls per database query. */
const PAGE = 200;

const COLUMNS = {
  id: (call) => call.id,
  started_at: (call) => call.created_at,
  finished_at: (call) => call.finished_at,
  tool: (call) => call.tool,
  skill: (call) => call.skill,
  status: (call) => call.status,
  error_code: (call) => call.error_code ?? '',
  cost_usd: (call) => call.cost_usd,
  provider_cost_usd: (call) => call.raw_cost_usd,
  platform_fee_usd: (call) => call.markup_usd,
  charged_to: (call) => call.account.slug ?? 'personal',
  own_provider_key: (call) => (call.byok ? 'yes' : 'no'),
  key_id: (call) => call.key_id,
  key_name: (call) => call.key_name,
  member: (call) => call.member ?? '',
  latency_ms: (call) => String(call.latency_ms),
  job_id: (call) => call.job_id ?? '',
  request_id: (call) => call.request_id ?? '',
  client_address: (call) => call.client_address ?? '',
  error_message: (call) => call.error_message ?? '',
} satisfies Record<string, (call: UsageCall) => string | number>;

/**
 * Writes the calls of a filter as CSV (RFC 4180), newest first.
 * @returns the file name and the text, page by page
 * @throws GatewayError as a report does
 */
export async function writeCallsCsv(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<{ filename: string; text: AsyncIterable<string> }> {
  const wanted = await readFilter(runtime, actor, filter);
  const day = (at: Date) => at.toISOString().slice(0, 10);
  const { from, to } = wanted.span;
  const name = ['calls', wanted.scope.account?.slug, day(from), 'to', day(new Date(to.getTime() - 1))];
  return { filename: `${name.filter(Boolean).join('-')}.csv`, text: lines(runtime, actor, wanted) };
}

async function* lines(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  wanted: Awaited<ReturnType<typeof readFilter>>,
) {
  const cells = Object.values(COLUMNS);
  yield csvLine(Object.keys(COLUMNS));
  for await (const page of walkCalls(runtime, actor, wanted, PAGE))
    yield page.map((call) => csvLine(cells.map((cell) => cell(call)))).join('');
}
