// Target (f): the same work in the usual style: Drizzle queries, a transaction before and one
// after.
import { createServer, type IncomingMessage } from 'node:http';
import { drizzle } from 'drizzle-orm/postgres-js';
import { connect, schema } from '@/db/client';
import { attemptCall } from '@/server/calls/execution/attempt-call';
import { computeCost } from '@/server/calls/prepare/price-call';
import { validateAndQuote } from '@/server/calls/prepare/validate-input';
import { hashKey, isWellFormedKey } from '@/server/identity/keys/key-format';
import { newId } from '@/server/kit/ids';
import { tools } from '@/server/tools/registry';
import { noServices } from '@/server/tools/sdk/no-services';
import { createToolLookup } from '@/server/tools/tool-lookup';
import { serveBench } from './control.mjs';
import { close, findKey, open } from './naive-store';

const lookup = createToolLookup(tools);
const { sql } = connect(process.env.DATABASE_URL ?? '', 10);
let statements = 0;
const db = drizzle(sql, {
  schema,
  casing: 'snake_case',
  logger: {
    logQuery() {
      statements++;
    },
  },
});
let transactions = 0;

const server = createServer((req, res) => {
  void answer(req).then(({ status, body }) => {
    const text = JSON.stringify(body);
    res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
    res.end(text);
  });
});

async function answer(req: IncomingMessage): Promise<{ status: number; body: unknown }> {
  try {
    return await call(req);
  } catch (error) {
    return { status: 500, body: { error: String(error), cause: String((error as Error).cause) } };
  }
}

async function call(req: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const token = req.headers.authorization?.slice('Bearer '.length) ?? '';
  const body = JSON.parse(await readBody(req));
  const key = isWellFormedKey(token) ? await findKey(db, hashKey(token)) : null;
  if (!key) return { status: 401, body: { error: 'AUTH_FAILED' } };
  const { skill } = lookup.getSkill(body.tool, body.skill);
  const prepared = validateAndQuote(skill, body.input, { byok: false, byokRatePpm: 0n });
  if (!prepared.ok) return { status: 400, body: { error: 'INVALID_INPUT' } };
  const id = newId('call');
  const hold = prepared.quote.markup + prepared.quote.raw;
  transactions += 2;
  const opened = await db.transaction((tx) =>
    open(tx, { id, keyId: key.id, accountId: key.accountId, tool: body.tool, skill: body.skill, hold }),
  );
  if (!opened) return { status: 402, body: { error: 'REFUSED' } };
  const attempt = await attemptCall(skill, {
    input: prepared.input,
    deadlineMs: 60_000,
    services: noServices(),
  });
  const cost = attempt.ok
    ? computeCost(skill, prepared.input, attempt.usage, 'none', { quote: prepared.quote, byokRatePpm: 0n })
    : { markup: 0n, raw: 0n };
  const available = await db.transaction((tx) =>
    close(tx, { id, success: attempt.ok, ...cost, latencyMs: attempt.latencyMs }),
  );
  if (!attempt.ok) return { status: 502, body: { error: attempt.message } };
  return {
    status: 200,
    body: {
      id,
      status: 'success',
      output: attempt.output,
      usage: { cost: Number(cost.markup + cost.raw) / 1e6, credits_remaining: Number(available) / 1e6 },
      billed: true,
    },
  };
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  // begin and commit are round trips as well.
  serveBench({ port: typeof address === 'object' ? address?.port : 0 }, () => statements + 2 * transactions);
});
