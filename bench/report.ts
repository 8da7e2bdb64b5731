import type { Sample } from './measure';
import type { Neighbours } from './neighbours';
import type { Options } from './options';
import { median, type Spread, spread, sum } from './statistics';
import { BATCH, LABELS, TARGET_NAMES, type TargetName } from './targets';

interface Environment {
  node: string;
  postgres: string;
  cores: number;
  durability: string;
  syncUs: number;
  billedCalls: number;
}

const COLUMNS = [
  'Target',
  'req/s',
  '× (a) echo',
  '× (b) Next',
  'p50 ms',
  'p99 ms',
  'CPU µs server',
  'CPU µs Postgres',
  'CPU µs generator',
  'commits',
  'WAL bytes',
  'round trips',
  'RSS MiB',
];

/** Goals: [what, connections, target, baseline, minimum ratio, calls in a request]. */
const WANTED: [string, number, TargetName, TargetName, number, number?][] = [
  ['paid call against the Next route', 32, 'paid-one', 'next', 8],
  ['paid call against the bare echo', 32, 'paid-one', 'echo', 0.333],
  ['one hot account against 200', 32, 'paid-one', 'paid-200', 0.7],
  ['one hot account against 200', 64, 'paid-one', 'paid-200', 0.7],
  ['math.statistics against the floor', 32, 'statistics', 'paid-one', 0.6],
  ['text.redact against the floor', 32, 'redact', 'paid-one', 0.6],
  ['a stream against the floor', 32, 'stream', 'paid-one', 0.4],
  ['a call in a batch against one alone', 32, 'batch', 'read', 2, BATCH],
];
const MOST_COMMITS_AT_64 = 0.2;
const MOST_RSS_MIB = 350;
const MIB = 1024 * 1024;
const MOST_DELAY_MS = 50;
/** Some of their statements bypass the group commits, which is where round trips are counted. */
const hasUnknownTrips = (name: TargetName) => name === 'job' || name === 'queued' || name.endsWith('-key');

/** Formats the complete report. */
export function markdown(
  samples: Sample[],
  neighbours: Neighbours | null,
  options: Options,
  environment: Environment,
): string {
  const { node, postgres, cores, durability, syncUs, billedCalls } = environment;
  const parts = [
    '# Bench',
    `Node ${node}, PostgreSQL ${postgres} (embedded, ${durability}; one fdatasync takes ${syncUs} µs here), ${cores} cores ` +
      `shared by server, database and load generator, loopback. ${options.rounds} round(s) of ${options.seconds} s; × is the ` +
      'median of the ratios inside each round (least–most). CPU, commits, WAL and round trips are per call, over all rounds. ' +
      `Ledger, usage, roll-ups, keys and balances agree on ${billedCalls} calls.`,
    ...options.connections.map((connections) => section(samples, connections)),
    ...(neighbours ? [neighboursSection(neighbours)] : []),
    verdict(samples, neighbours),
    notes,
  ];
  return `${parts.join('\n\n')}\n`;
}

const notes =
  'Commits: transactions that wrote, from the transaction id. Round trips: statements sent to PostgreSQL, from the ' +
  "group commit's own counters (each flush is one statement and one transaction) and, for (f), from Drizzle's logger " +
  "with begin and commit; not counted for jobs and calls with an Idempotency-Key. The server's CPU time is without its workers. WAL includes page images after checkpoints. CPU time of PostgreSQL has a resolution of 10 ms.";

function section(samples: Sample[], connections: number): string {
  const rows = TARGET_NAMES.flatMap((name) => {
    const own = samples.filter((sample) => sample.target === name && sample.connections === connections);
    if (own.length === 0) return [];
    const first = row(LABELS[name], name, own, samples, 1);
    return name === 'batch' ? [first, row('(l) a call in it', name, own, samples, BATCH)] : [first];
  });
  const lines = [COLUMNS, COLUMNS.map((_, index) => (index === 0 ? '---' : '--:')), ...rows];
  return `## ${connections} connection${connections === 1 ? '' : 's'}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}

/** @param parts calls per request: the values are per call */
function row(label: string, name: TargetName, own: Sample[], all: Sample[], parts: number): string[] {
  const connections = own[0]?.connections ?? 0;
  const calls = sum(own.map((sample) => sample.calls));
  const each = (pick: (sample: Sample) => number | null) =>
    own.some((sample) => pick(sample) === null)
      ? null
      : sum(own.map((sample) => pick(sample) ?? 0)) / calls / parts;
  const hasDatabase = name !== 'echo' && name !== 'next';
  return [
    label,
    Math.round(median(own.map((sample) => sample.perSecond)) * parts).toLocaleString('en'),
    name === 'echo' ? '1' : ratioText(ratio(all, connections, name, 'echo', parts)),
    name === 'next' ? '1' : ratioText(ratio(all, connections, name, 'next', parts)),
    median(own.map((sample) => sample.p50Ms)).toFixed(2),
    median(own.map((sample) => sample.p99Ms)).toFixed(2),
    number(each((sample) => sample.serverCpuUs)),
    hasDatabase ? number(each((sample) => sample.postgresCpuUs)) : '',
    number(each((sample) => sample.generatorCpuUs)),
    hasDatabase
      ? number(
          each((sample) => sample.commits),
          3,
        )
      : '',
    hasDatabase ? number(each((sample) => sample.walBytes)) : '',
    hasDatabase && !hasUnknownTrips(name)
      ? number(
          each((sample) => sample.roundTrips),
          3,
        )
      : '',
    (Math.max(...own.map((sample) => sample.rssBytes)) / MIB).toFixed(0),
  ];
}

function number(value: number | null, decimals = 0): string {
  return value === null ? 'unknown' : value.toFixed(decimals);
}

/** Ratios of requests (or their parts) per second within each round. */
function ratio(
  samples: Sample[],
  connections: number,
  of: TargetName,
  against: TargetName,
  parts = 1,
): Spread | null {
  const pick = (name: TargetName) =>
    new Map(
      samples
        .filter((sample) => sample.target === name && sample.connections === connections)
        .map((sample) => [sample.round, sample.perSecond]),
    );
  const bases = pick(against);
  const ratios = [...pick(of)].flatMap(([round, perSecond]) => {
    const base = bases.get(round);
    return base ? [(perSecond * parts) / base] : [];
  });
  return ratios.length > 0 ? spread(ratios) : null;
}

function ratioText(value: Spread | null): string {
  if (!value) return '';
  const { median: middle, min, max, noisy } = value;
  return `${short(middle)} (${short(min)}–${short(max)})${noisy ? ' noisy' : ''}`;
}

function short(value: number): string {
  return value >= 1 ? value.toFixed(2) : value.toFixed(3);
}

/** Formats the effect of five calculations on another call. */
function neighboursSection({ idleP99Ms, busyP99Ms }: Neighbours): string {
  const { median: ratio, min, max } = spread(busyP99Ms.map((ms, round) => ms / (idleP99Ms[round] ?? ms)));
  const cells = [
    'echo call, one connection',
    median(idleP99Ms).toFixed(2),
    median(busyP99Ms).toFixed(2),
    `${short(ratio)} (${short(min)}–${short(max)})`,
    delayMs({ idleP99Ms, busyP99Ms: busyP99Ms }).toFixed(2),
  ];
  return [
    '## One call during five calculations (math.evaluate)',
    '',
    '| What | p99 ms alone | p99 ms during | × | added ms |',
    '| --- | --: | --: | --: | --: |',
    `| ${cells.join(' | ')} |`,
  ].join('\n');
}

function delayMs({ idleP99Ms, busyP99Ms }: Pick<Neighbours, 'idleP99Ms' | 'busyP99Ms'>): number {
  return median(busyP99Ms.map((ms, round) => ms - (idleP99Ms[round] ?? 0)));
}

function verdict(samples: Sample[], neighbours: Neighbours | null): string {
  const lines = WANTED.flatMap(([what, connections, of, against, least, parts]) => {
    const found = ratio(samples, connections, of, against, parts);
    if (!found) return [];
    return [
      `| ${what}, ${connections} connections | ≥ ${least} | ${ratioText(found)} | ${found.median >= least ? 'yes' : '**no**'} |`,
    ];
  });
  const at64 = samples.filter((sample) => sample.target === 'paid-one' && sample.connections === 64);
  if (at64.length > 0) {
    const commits = sum(at64.map((sample) => sample.commits)) / sum(at64.map((sample) => sample.calls));
    lines.push(
      `| commits a paid call, 64 connections | ≤ ${MOST_COMMITS_AT_64} | ${commits.toFixed(3)} | ${commits <= MOST_COMMITS_AT_64 ? 'yes' : '**no**'} |`,
    );
  }
  const paid = samples.filter((sample) => sample.target === 'paid-one');
  if (paid.length > 0) {
    const most = Math.max(...paid.map((sample) => sample.rssBytes)) / MIB;
    lines.push(
      `| memory of the gateway under load | ≤ ${MOST_RSS_MIB} MiB | ${most.toFixed(0)} MiB | ${most <= MOST_RSS_MIB ? 'yes' : '**no**'} |`,
    );
  }
  if (neighbours) {
    const ms = delayMs(neighbours);
    lines.push(
      `| one call delayed by five calculations, p99 | ≤ ${MOST_DELAY_MS} ms | ${ms.toFixed(1)} ms | ${ms <= MOST_DELAY_MS ? 'yes' : '**no**'} |`,
    );
  }
  if (lines.length === 0) return '';
  return ['## Wanted', '', '| What | Wanted | Is | Met |', '| --- | --: | --: | --- |', ...lines].join('\n');
}
