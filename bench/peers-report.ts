import { PEER_NAMES, type PeerName, type PeerSample, type PeersMeasured } from './peers';
import { median, spread } from './statistics';

const LABELS: Record<PeerName, string> = {
  direct: 'the upstream itself',
  gateway: 'this gateway: a paid, limited, recorded call',
  portkey: '@portkey-ai/gateway 1.15.2: only passes on, without billing',
  fastify: 'fastify 5.12.8 with http-proxy and in-memory rate-limit: without billing',
  hono: 'hono 4.13.19 with its proxy helper: without limits or billing',
};
const COLUMNS = [
  'What',
  'req/s (least–most)',
  '× of the gateway',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'RSS MiB',
  'p50 ms at 50/s',
  'p99 ms at 50/s',
  'added p50 ms',
];
const MIB = 1024 * 1024;

/** [peer, minimum] of the gateway's calls per second relative to a peer's. */
const WANTED: [PeerName, number][] = [
  ['portkey', 2.5],
  ['fastify', 0.45],
];
/** The latency that the gateway adds at the fixed rate, relative to portkey's. */
const MOST_ADDED = 1.5;
/** The 99th percentile of the response time, relative to the median. */
const MOST_TAIL = 2.5;
const MOST_CPU_US = 380;

/** Formats the comparison of proxies that pass the same request on to the same upstream. */
export function peersSection({ samples }: PeersMeasured): string {
  const rows = PEER_NAMES.map((peer) => row(peer, samples));
  const table = [COLUMNS, COLUMNS.map((_, index) => (index === 0 ? '---' : '--:')), ...rows];
  return [
    '## One request passed on to one upstream, 32 connections; then at 50 a second, independent of response times',
    table.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    verdict(samples),
  ].join('\n\n');
}

function row(peer: PeerName, samples: PeerSample[]): string[] {
  const own = samples.filter((sample) => sample.peer === peer);
  const each = (pick: (sample: PeerSample) => number) => median(own.map(pick));
  const { median: middle, min, max } = spread(own.map(({ perSecond }) => perSecond));
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  return [
    LABELS[peer],
    `${whole(middle)} (${whole(min)}–${whole(max)})`,
    peer === 'gateway' ? '1' : ratios(samples, peer, 'gateway').toFixed(2),
    each(({ p50Ms }) => p50Ms).toFixed(2),
    each(({ p99Ms }) => p99Ms).toFixed(2),
    each(({ cpuUsPerCall }) => cpuUsPerCall).toFixed(0),
    Math.max(...own.map(({ rssBytes }) => rssBytes / MIB)).toFixed(0),
    each(({ pacedP50Ms }) => pacedP50Ms).toFixed(2),
    each(({ pacedP99Ms }) => pacedP99Ms).toFixed(2),
    peer === 'direct' ? '' : added(samples, peer).toFixed(2),
  ];
}

/** The median ratio of calls per second within a round. */
function ratios(samples: PeerSample[], of: PeerName, against: PeerName): number {
  const base = new Map(
    samples.filter(({ peer }) => peer === against).map((sample) => [sample.round, sample.perSecond]),
  );
  return median(
    samples.filter(({ peer }) => peer === of).map((s) => s.perSecond / (base.get(s.round) ?? Number.NaN)),
  );
}

/** The median latency that a peer adds to the upstream at the fixed rate, within a round. */
function added(samples: PeerSample[], of: PeerName): number {
  const direct = new Map(
    samples.filter(({ peer }) => peer === 'direct').map((sample) => [sample.round, sample.pacedP50Ms]),
  );
  return median(
    samples.filter(({ peer }) => peer === of).map((s) => s.pacedP50Ms - (direct.get(s.round) ?? Number.NaN)),
  );
}

function verdict(samples: PeerSample[]): string {
  const line = (what: string, wanted: string, is: string, met: boolean) =>
    `| ${what} | ${wanted} | ${is} | ${met ? 'yes' : '**no**'} |`;
  const atMost = (what: string, most: number, found: number, decimals = 2) =>
    line(what, `≤ ${most}`, found.toFixed(decimals), found <= most);
  const against = WANTED.map(([peer, least]) => {
    const found = ratios(samples, 'gateway', peer);
    return line(`paid call ÷ ${peer}`, `≥ ${least}`, found.toFixed(2), found >= least);
  });
  const own = samples.filter(({ peer }) => peer === 'gateway');
  const middle = (pick: (sample: PeerSample) => number) => median(own.map(pick));
  const rows = [
    ...against,
    atMost(
      'added at 50 a second, p50 ÷ portkey’s',
      MOST_ADDED,
      added(samples, 'gateway') / added(samples, 'portkey'),
    ),
    atMost(
      'p99 ÷ p50 at 50 a second',
      MOST_TAIL,
      middle(({ pacedP99Ms, pacedP50Ms }) => pacedP99Ms / pacedP50Ms),
    ),
    atMost(
      'p99 ÷ p50 at 32 connections',
      MOST_TAIL,
      middle(({ p99Ms, p50Ms }) => p99Ms / p50Ms),
    ),
    atMost(
      'CPU µs of the gateway',
      MOST_CPU_US,
      middle(({ cpuUsPerCall }) => cpuUsPerCall),
      0,
    ),
  ];
  return ['| What | Wanted | Is | Met |', '| --- | --: | --: | --- |', ...rows].join('\n');
}
