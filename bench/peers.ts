import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Options } from './options';
import { type Helper, startHelper } from './processes';
import type { ProfiledTarget } from './profile';
import type { Stage } from './stage';
import { post } from './targets';

/** Servers that pass the same request on to the same upstream. */
export const PEER_NAMES = ['direct', 'gateway', 'portkey', 'fastify', 'hono'] as const;
export type PeerName = (typeof PEER_NAMES)[number];

const LOAD_CONNECTIONS = 32;
/** A rate far below every peer's limit, and enough connections that no request waits for one. */
const PACE_PER_SECOND = 50;
const PACE_CONNECTIONS = 8;
const LEAST_PACE_SECONDS = 4;
/** JavaScript is compiled at run time, so a warm-up needs thousands of requests. */
const LEAST_WARMUP_SECONDS = 6;
/** Before each measurement. */
const WARM_UP_MS = 1_000;
const TOOL = 'bench-upstream';
const APPEARS_MS = 30_000;

const MESSAGES = {
  model: 'bench',
  messages: [
    { role: 'system', content: 'You are measured.' },
    { role: 'user', content: 'Answer at once, with the same words as always.' },
  ],
};

/** One peer in one round: under load, then at the fixed rate. */
export interface PeerSample {
  peer: PeerName;
  round: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  cpuUsPerCall: number;
  rssBytes: number;
  pacedP50Ms: number;
  pacedP99Ms: number;
}

export interface PeersMeasured {
  samples: PeerSample[];
  /** Paid calls that our gateway answered. */
  records: number;
}

interface Peer {
  name: PeerName;
  server: Helper;
  requests: string[];
  expect: string;
}

interface Outcome {
  calls: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
  body: string;
}

interface Usage {
  cpuUs: number;
  rssBytes: number;
}

/** The upstream, imported into the gateway as a paid tool. */
interface Upstream {
  server: Helper;
  address: string;
  /** Paid calls of the tool. */
  target: ProfiledTarget;
  start(file: string, env?: Record<string, string>): Promise<Helper>;
}

/** Starts the upstream and imports it. What `use` starts is stopped with it. */
export async function withUpstream<T>(
  stage: Stage,
  root: string,
  use: (upstream: Upstream) => Promise<T>,
): Promise<T> {
  const helpers: Helper[] = [];
  const start = async (file: string, env: Record<string, string> = {}) => {
    const helper = await startHelper(join(root, 'bench', file), env);
    helpers.push(helper);
    return helper;
  };
  try {
    const server = await start('servers/upstream.mjs');
    const address = `http://127.0.0.1:${server.port}`;
    await importUpstream(stage, root, address);
    return await use({ server, address, target: paidCall(stage), start });
  } finally {
    for (const helper of helpers.reverse()) await helper.stop();
  }
}

function paidCall({ accounts }: Stage): ProfiledTarget {
  const call = JSON.stringify({ tool: TOOL, skill: 'create_chat_completion', input: MESSAGES });
  return {
    name: 'upstream',
    label: 'paid call, passed on to an upstream',
    server: 'gateway',
    requests: accounts.oneAccount.map((key) => post('/v1/tools/call', key, call)),
    records: 1,
    // The upstream's complete response, and proof that the call was paid.
    expect: '"cost":0.000001',
  };
}

/** Measures all peers in turn, each in its own process. Each round starts with another peer. */
export async function measurePeers(stage: Stage, options: Options, root: string): Promise<PeersMeasured> {
  await installPeers(root);
  return await withUpstream(stage, root, async (upstream) => {
    const { address, start } = upstream;
    const portkey = await start('peers/portkey.mjs', { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' });
    const fastify = await start('peers/fastify.mjs', { UPSTREAM: address });
    const hono = await start('peers/hono.mjs', { UPSTREAM: address });
    const peers = listPeers(stage, upstream, { portkey, fastify, hono });
    const measured: PeersMeasured = { samples: [], records: 0 };
    for (let round = -1; round < options.rounds; round++)
      for (let i = 0; i < peers.length; i++) {
        const peer = peers[(i + Math.max(0, round)) % peers.length] as Peer;
        process.stderr.write(`peers, ${round < 0 ? 'warm-up' : `round ${round + 1}`}: ${peer.name}\n`);
        const { sample, calls } = await measurePeer(stage, peer, round, options);
        if (peer.name === 'gateway') measured.records += calls;
        if (round >= 0) measured.samples.push(sample);
      }
    return measured;
  });
}

function listPeers(
  { servers }: Stage,
  { server: upstream, target }: Upstream,
  { portkey, fastify, hono }: Record<'portkey' | 'fastify' | 'hono', Helper>,
): Peer[] {
  const path = '/v1/chat/completions';
  const body = JSON.stringify(MESSAGES);
  const expect = '"object":"chat.completion"';
  const custom = [
    'x-portkey-provider: openai',
    `x-portkey-custom-host: http://127.0.0.1:${upstream.port}/v1`,
  ];
  const plain = [post(path, 'sk-bench', body)];
  return [
    { name: 'direct', server: upstream, requests: plain, expect },
    { name: 'gateway', server: servers.gateway, requests: target.requests, expect: target.expect },
    { name: 'portkey', server: portkey, requests: [post(path, 'sk-bench', body, ...custom)], expect },
    { name: 'fastify', server: fastify, requests: plain, expect },
    { name: 'hono', server: hono, requests: plain, expect },
  ];
}

async function measurePeer({ generator }: Stage, peer: Peer, round: number, options: Options) {
  const { requests, expect } = peer;
  const { port } = peer.server;
  const ask = async (load: object) => {
    const outcome = await generator
      .request<Outcome>('load', { port, requests, expect, ...load })
      .catch((error: unknown) => {
        throw new Error(`${peer.name}: ${error instanceof Error ? error.message : error}`);
      });
    if (!outcome.body.includes(expect) || !outcome.body.includes('The upstream of the bench'))
      throw new Error(`${peer.name}: not the response of the upstream: ${outcome.body}`);
    return outcome;
  };
  // While others are measured, a peer loses its connections and the processor's caches.
  const warmUp = await ask({ connections: LOAD_CONNECTIONS, ms: WARM_UP_MS });
  const before = await peer.server.request<Usage>('usage');
  const seconds = round < 0 ? Math.max(LEAST_WARMUP_SECONDS, options.warmupSeconds) : options.seconds;
  const loaded = await ask({ connections: LOAD_CONNECTIONS, ms: seconds * 1000 });
  const after = await peer.server.request<Usage>('usage');
  const paced = await ask({
    connections: PACE_CONNECTIONS,
    ms: Math.max(LEAST_PACE_SECONDS, options.seconds) * 1000,
    perSecond: PACE_PER_SECOND,
  });
  const sample: PeerSample = {
    peer: peer.name,
    round,
    perSecond: (loaded.calls / loaded.elapsedMs) * 1000,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    cpuUsPerCall: (after.cpuUs - before.cpuUs) / loaded.calls,
    rssBytes: after.rssBytes,
    pacedP50Ms: paced.p50Ms,
    pacedP99Ms: paced.p99Ms,
  };
  return { sample, calls: warmUp.calls + loaded.calls + paced.calls };
}

/** Installs the peers from their own lock file, unless done. They are no dependencies of ours. */
async function installPeers(root: string): Promise<void> {
  const dir = join(root, 'bench/peers');
  const lock = readFileSync(join(dir, 'package-lock.json'), 'utf8');
  const stamp = join(dir, 'node_modules/.bench-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', dir], { cwd: dir });
  await writeFile(stamp, lock);
}

/** Imports the upstream like an operator: an OpenAPI document, a price, the admin CLI. */
async function importUpstream(stage: Stage, root: string, address: string): Promise<void> {
  const file = join(stage.dataDir, 'upstream.json');
  await writeFile(file, JSON.stringify(buildDocument(address)));
  await run(
    process.execPath,
    [
      'scripts/admin.mjs',
      ...['tools', 'import', '--openapi', file, '--name', TOOL, '--price', '0.000001', '--allow-private'],
      // A completion changes nothing, so its calls may start before they are admitted.
      ...['--read-only', 'createChatCompletion', '--yes'],
    ],
    { cwd: root, env: { ...process.env, ...stage.environment, DATABASE_URL: stage.databaseUrl } },
  );
  const url = `http://127.0.0.1:${stage.servers.gateway.port}/v1/tools/${TOOL}`;
  for (const end = Date.now() + APPEARS_MS; Date.now() < end; await sleep(100))
    if ((await fetch(url)).status === 200) return;
  throw new Error(`${TOOL} did not appear in the catalogue`);
}

function buildDocument(address: string) {
  const text = { type: 'string' };
  const message = {
    type: 'object',
    properties: { role: text, content: text },
    required: ['role', 'content'],
  };
  const request = {
    type: 'object',
    properties: { model: text, messages: { type: 'array', items: message } },
    required: ['model', 'messages'],
  };
  const choice = { type: 'object', properties: { index: { type: 'integer' }, message, finish_reason: text } };
  const answer = {
    type: 'object',
    properties: { id: text, object: text, choices: { type: 'array', items: choice } },
    required: ['id', 'object', 'choices'],
  };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  return {
    openapi: '3.1.0',
    info: { title: 'Upstream of the bench', version: '1.0.0', description: 'Answers at once.' },
    servers: [{ url: address }],
    paths: {
      '/v1/chat/completions': {
        post: {
          operationId: 'createChatCompletion',
          summary: 'Complete a chat',
          requestBody: { required: true, ...json(request) },
          responses: { 200: { description: 'The completion.', ...json(answer) } },
        },
      },
    },
  };
}

async function run(command: string, args: string[], options: object): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'], ...options });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.slice(0, 3).join(' ')} failed:\n${said}`);
}
