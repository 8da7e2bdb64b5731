import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The answer to one query. */
interface DnsAnswer {
  /** Addresses of the requested family. */
  readonly addresses: readonly string[];
  /** Sent as a CNAME record of the queried name, before the addresses. */
  readonly cname?: string;
}

export interface FakeDnsServer {
  /** Its address in the form that a resolver takes. */
  readonly server: string;
  /** Resolves a name through this server. */
  resolve(hostname: string): Promise<LookupAddress[]>;
  /** Number of A and AAAA queries for a name. */
  queryCount(hostname: string): number;
  close(): Promise<void>;
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const HEADER_BYTES = 12;

/**
 * Starts a fake DNS server on this machine; its records have a TTL of 0.
 * @param answer returns the answer to the nth query (from 0) for a name and type
 */
export async function startFakeDnsServer(
  answer: (name: string, type: 'A' | 'AAAA', nth: number) => DnsAnswer,
): Promise<FakeDnsServer> {
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
    queryCount: (hostname) => (counts.get(`A ${hostname}`) ?? 0) + (counts.get(`AAAA ${hostname}`) ?? 0),
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
  // Each owner name is a pointer to the query's name or, after a CNAME, the name itself.
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
