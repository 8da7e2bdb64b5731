import { parseArgs } from 'node:util';
import { TARGET_NAMES, type TargetName } from './targets';

/** Amounts of data for read measurements; 0 skips one. */
export interface ReadsOptions {
  rows: number;
  tools: number;
  polls: number;
}

export interface Options {
  /** Measures only reads, with these amounts of data; null: does not. */
  reads: ReadsOptions | null;
  /** Seconds per target and round. */
  seconds: number;
  warmupSeconds: number;
  rounds: number;
  connections: number[];
  targets: TargetName[];
  /** Profiles the gateway on this target instead of measuring. */
  profile: TargetName | null;
  /** Measures only proxies of one upstream: the gateway and others. */
  peers: boolean;
  /** Measures only the first example of each skill that computes on this machine. */
  skills: boolean;
  /** Measures only the search quality. */
  search: boolean;
  /** Measures only the usage pages, with this many calls in an account; null: does not. */
  pages: number | null;
  /** Requests per usage page. */
  requests: number;
}

const USAGE = `npm run bench -- [flags]
  --seconds 2           of one target in one round
  --rounds 5
  --connections 1,32,64
  --targets ${TARGET_NAMES.join(',')}
  --quick               one round at 32 connections
  --skills              only skills that compute on this machine: one caller, and 32
  --search              no calls: only the search quality on the gold set
  --pages               no calls: only response times of the usage pages with --rows calls
  --rows 1000000
  --requests 40
  --reads               no calls: only usage with --rows (10000000) calls, --tools 1000, --polls 1000
  --peers               only requests passed on to one upstream, compared with other gateways (installs them)
  --profile paid-one    no table: a CPU profile of the gateway on this target, at the first of --connections`;

/** Parses the flags. On an error it prints the usage and exits. */
export function readOptions(args: string[]): Options {
  try {
    return parse(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    process.exit(2);
  }
}

function parse(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string' },
      connections: { type: 'string' },
      targets: { type: 'string', default: TARGET_NAMES.join(',') },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      search: { type: 'boolean', default: false },
      peers: { type: 'boolean', default: false },
      skills: { type: 'boolean', default: false },
      pages: { type: 'boolean', default: false },
      reads: { type: 'boolean', default: false },
      rows: { type: 'string' },
      tools: { type: 'string', default: '1000' },
      polls: { type: 'string', default: '1000' },
      requests: { type: 'string', default: '40' },
    },
  });
  const quick = values.quick || values.profile !== undefined;
  const seconds = positive('--seconds', values.seconds);
  const targets = values.targets.split(',').map(targetName);
  return {
    seconds,
    warmupSeconds: Math.min(2, seconds),
    rounds: Math.ceil(positive('--rounds', values.rounds ?? (quick ? '1' : '5'))),
    connections: (values.connections ?? (quick ? '32' : '1,32,64'))
      .split(',')
      .map((text) => Math.ceil(positive('--connections', text))),
    // Ratios need these two.
    targets: TARGET_NAMES.filter((name) => name === 'echo' || name === 'next' || targets.includes(name)),
    search: values.search,
    pages: values.pages ? Math.ceil(count('--rows', values.rows ?? '1000000')) : null,
    reads: values.reads
      ? {
          rows: amount('--rows', values.rows ?? '10000000'),
          tools: amount('--tools', values.tools),
          polls: amount('--polls', values.polls),
        }
      : null,
    peers: values.peers,
    skills: values.skills,
    requests: Math.ceil(count('--requests', values.requests)),
    profile: values.profile === undefined ? null : targetName(values.profile),
  };
}

function count(flag: string, text: string): number {
  const value = Number(text);
  if (!(value >= 1 && value <= 20_000_000))
    throw new Error(`${flag}: ${text} is not a number from 1 to 20000000`);
  return value;
}

function amount(flag: string, text: string): number {
  return text === '0' ? 0 : Math.ceil(count(flag, text));
}

function positive(flag: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value <= 3600))
    throw new Error(`${flag}: ${text} is not a number above 0 and up to 3600`);
  return value;
}

function targetName(text: string): TargetName {
  const name = TARGET_NAMES.find((known) => known === text);
  if (!name) throw new Error(`Unknown target ${text}`);
  return name;
}
