import { createServer, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { readGoldSet } from '@/server/catalog/tools/search-quality';
import { findPostgresUrl } from '@/server/main/boot/embedded-postgres/start-postgres';
import type { TestGateway } from '../../test/system/fixtures/gateway';
import { discardResponse, getText, type Timed, timed, timeEach } from './timing';

const REQUESTS = 1000;
/** "list of 1,000 tools and search over them p99 under 10 ms" */
const MOST_MS = 10;
const SEEN_MS = 30_000;
const ADJECTIVES = 'quick,precise,regional,nightly,historic,legal,medical,marine,solar,urban'.split(',');
const NOUNS = 'weather,invoice,shipment,recipe,patent,flight,tenant,soil,traffic,auction'.split(',');
const VERBS = 'forecasts,compares,tracks,translates,summarises,prices,books,audits,maps,ranks'.split(',');

/** Measures list and search on a gateway with that many tools, most of them imported. */
export async function measureCatalog(gateway: TestGateway, tools: number, root: string): Promise<Timed[]> {
  await importTools(gateway, tools);
  const questions = readGoldSet(root).map(({ query }) => query);
  const own = Array.from({ length: 100 }, (_, n) => describe(n * 7).subtitle);
  const search = (list: string[], n: number) =>
    discardResponse(
      `${gateway.baseUrl}/v1/tools/search?q=${encodeURIComponent(list[n % list.length] ?? '')}`,
    );
  const list = (query: string) => () => discardResponse(`${gateway.baseUrl}/v1/tools${query}`);
  return [
    timed(`GET /v1/tools, first 100 of ${tools}`, await timeEach(REQUESTS, list('')), MOST_MS),
    timed('GET /v1/tools?limit=500', await timeEach(REQUESTS, list('?limit=500')), MOST_MS),
    timed('GET /v1/tools?category=research', await timeEach(REQUESTS, list('?category=research')), MOST_MS),
    timed(
      'search, the queries of the gold set',
      await timeEach(REQUESTS, (n) => search(questions, n)),
      MOST_MS,
    ),
    timed('search, words of the imported tools', await timeEach(REQUESTS, (n) => search(own, n)), MOST_MS),
    timed(
      'search, each query only once',
      await timeEach(REQUESTS, (n) =>
        search(
          questions.map((text) => `${text} ${n}`),
          n,
        ),
      ),
      MOST_MS,
    ),
  ];
}

function describe(n: number) {
  const words = [ADJECTIVES[n % 10], NOUNS[Math.floor(n / 10) % 10], VERBS[Math.floor(n / 100) % 10]];
  const [adjective, noun, verb] = words;
  return {
    displayName: `${adjective} ${noun} ${n}`,
    subtitle: `${verb} ${adjective} ${noun} records`,
    description: `Tool ${n}: ${verb} ${adjective} ${noun} data for a place and a day, with its sources and how sure it is.`,
  };
}

/** Imports one tool like an operator; copies its row with other texts for the rest. */
async function importTools(gateway: TestGateway, tools: number): Promise<void> {
  const upstream = await startUpstream();
  const url = await findPostgresUrl(String(gateway.env.DATA_DIR));
  if (!url) throw new Error('The gateway has no database');
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const address = upstream.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const flags = [
      '--name',
      'bench-0',
      '--price',
      '0.001',
      '--allow-private',
      '--category',
      'research',
      '--yes',
    ];
    await gateway.admin('tools', 'import', '--openapi', `http://127.0.0.1:${port}/openapi.json`, ...flags);
    const there = JSON.parse(await getText(`${gateway.baseUrl}/v1/tools?limit=500`)).tools.length;
    const texts = Array.from({ length: tools - there }, (_, n) => ({
      name: `bench-${n + 1}`,
      ...describe(n + 1),
    }));
    await sql`
      insert into imported_tools select (jsonb_populate_record(t, jsonb_build_object('name', x.name,
        'presentation', t.presentation::jsonb || jsonb_build_object('displayName', x."displayName", 'subtitle', x.subtitle,
        'description', x.description)))).*
      from imported_tools t, jsonb_to_recordset(${sql.json(texts)}) as x(name text, "displayName" text, subtitle text, description text)
      where t.name = 'bench-0'`;
    await sql`select pg_notify('gateway', 'tools')`;
    for (const end = performance.now() + SEEN_MS; performance.now() < end; await sleep(200)) {
      const search = await fetch(`${gateway.baseUrl}/v1/tools/bench-${texts.length}`);
      if (search.status === 200) return;
    }
    throw new Error('The gateway did not load the tools');
  } finally {
    await sql.end();
    upstream.closeAllConnections();
    upstream.close();
  }
}

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Records', version: '1.0.0' },
  paths: {
    '/records': {
      get: {
        operationId: 'findRecords',
        summary: 'Find records of a place and a day',
        parameters: [
          { name: 'place', in: 'query', required: true, schema: { type: 'string' }, description: 'Where' },
          { name: 'day', in: 'query', schema: { type: 'string', format: 'date' }, description: 'When' },
        ],
        responses: {
          '200': {
            description: 'Records',
            content: {
              'application/json': { schema: { type: 'object', properties: { records: { type: 'array' } } } },
            },
          },
        },
      },
    },
  },
};

async function startUpstream(): Promise<Server> {
  let port = 0;
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ ...DOCUMENT, servers: [{ url: `http://127.0.0.1:${port}` }] }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return server;
}
