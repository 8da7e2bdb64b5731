import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** What the server says to one question: addresses of the family asked for, and the name they are said to belong to. */
interface DnsAnswer {
  readonly addresses: readonly string[];
  /** Sent before them: the name that was asked for is another name of this one. */
  readonly cname?: string;
}

export interface DnsTwin {
  /** Where it listens, as a resolver is told. */
  readonly server: string;
  /** All addresses of a name, as this server says. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** How often a name was asked for, A and AAAA alike. */
  asked(hostname: string): number;
  close(): Promise<void>;
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const HEADER_BYTES = 12;

/**
 * A DNS server on this machine that says what a test wants, with a TTL of 0.
 * @param answer to the nth question (from 0) for a name and type
 */
export async function startDnsTwin(
  answer: (name: string, type: 'A' | 'AAAA', nth: number) => DnsAnswer,
): Promise<DnsTwin> {
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end) as keyof typeof TYPES];
    if (type === undefined) return;
    const nth = counts.get(`${type} ${name}`) ?? 0;
    counts.set(`${type} ${name}`, nth + 1);
    socket.send(reply(query, end + 4, answer(name, type, nth), type), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const resolver = new Resolver({ timeout: 1_000, tries: 1 });
  const server = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([server]);
  return {
    server,
    async resolve(hostname) {
      const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
      return found.flatMap((each, at) =>
        each.status === 'fulfilled'
          ? each.value.map((address) => ({ address, family: at === 0 ? 4 : 6 }))
          : [],
      );
    },
    asked: (hostname) => (counts.get(`A ${hostname}`) ?? 0) + (counts.get(`AAAA ${hostname}`) ?? 0),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function reply(
  query: Buffer,
  questionEnd: number,
  { addresses, cname }: DnsAnswer,
  type: 'A' | 'AAAA',
): Buffer {
  const question = query.subarray(HEADER_BYTES, questionEnd);
  // Each name is a pointer to that of the question, or, behind a CNAME, the name itself.
  const asked = Buffer.from([0xc0, HEADER_BYTES]);
  const owner = cname === undefined ? asked : nameBytes(cname);
  const records = addresses.map((address) => record(owner, type === 'A' ? 1 : 28, addressBytes(address)));
  if (cname !== undefined) records.unshift(record(asked, 5, nameBytes(cname)));
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records]);
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
