import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Options } from './options';
import { type Helper, startHelper } from './processes';
import type { Stage } from './stage';
import { post, type Target } from './targets';
import { MESSAGES, run } from './upstream';

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

/** Measures all peers in turn, each in its own process. Each round starts with another peer. */
export async function measurePeers(stage: Stage, options: Options, root: string): Promise<PeersMeasured> {
  await installPeers(root);
  const helpers: Helper[] = [];
  const start = async (file: string, env: Record<string, string>) => {
    const helper = await startHelper(join(root, 'bench/peers', file), env);
    helpers.push(helper);
    return helper;
  };
  try {
    const upstream = `http://127.0.0.1:${stage.servers.upstream.port}`;
    const peers = listPeers(stage, {
      portkey: await start('portkey.mjs', { TRUSTED_CUSTOM_HOSTS: '127.0.0.1' }),
      fastify: await start('fastify.mjs', { UPSTREAM: upstream }),
      hono: await start('hono.mjs', { UPSTREAM: upstream }),
    });
    return await measureInTurn(stage, options, peers);
  } finally {
    for (const helper of helpers.reverse()) await helper.stop();
  }
}

async function measureInTurn(stage: Stage, options: Options, peers: Peer[]): Promise<PeersMeasured> {
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
}

function listPeers(
  { servers, targets }: Stage,
  { portkey, fastify, hono }: Record<'portkey' | 'fastify' | 'hono', Helper>,
): Peer[] {
  const path = '/v1/chat/completions';
  const body = JSON.stringify(MESSAGES);
  const expect = '"object":"chat.completion"';
  const custom = [
    'x-portkey-provider: openai',
    `x-portkey-custom-host: http://127.0.0.1:${servers.upstream.port}/v1`,
  ];
  const plain = [post(path, 'sk-bench', body)];
  const paid = targets.find(({ name }) => name === 'read') as Target;
  return [
    { name: 'direct', server: servers.upstream, requests: plain, expect },
    { name: 'gateway', server: servers.gateway, requests: paid.requests, expect: paid.expect },
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
