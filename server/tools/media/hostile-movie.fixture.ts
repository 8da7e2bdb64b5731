const IDENTITY = [65_536, 0, 0, 0, 65_536, 0, 0, 0, 0x40000000];

export interface HostileMovie {
  readonly tracks: number;
  /** Per track; its index takes 24 bytes a sample in memory, but no space in the file. */
  readonly samples: number;
  readonly side?: number;
}

/** Builds an MP4 of a few kilobytes that claims any number of tracks, frames and pixels. */
export function createHostileMovie(movie: HostileMovie): Buffer {
  const times = [u32(0, 0, 1_000, 1_000, 0x10000, 0x01000000, 0, 0), u32(...IDENTITY)];
  const header = full('mvhd', 0, ...times, Buffer.alloc(24), u32(movie.tracks + 1));
  const tracks = Array.from({ length: movie.tracks }, (_, at) => createTrack(at + 1, movie));
  return Buffer.concat([
    box('ftyp', Buffer.from('isom'), u32(512), Buffer.from('isom')),
    box('mdat', Buffer.alloc(64)),
    box('moov', header, ...tracks),
  ]);
}

function createTrack(id: number, { samples, side = 64 }: HostileMovie): Buffer {
  const size = u32((side << 16) >>> 0, (side << 16) >>> 0);
  const picture = Buffer.concat([
    ...[u32(86), Buffer.from('avc1'), Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(side, side)],
    ...[u32(0x480000, 0x480000, 0), u16(1), Buffer.alloc(32), u16(24, 0xffff)],
  ]);
  const table = box(
    'stbl',
    full('stsd', 0, u32(1), picture),
    full('stts', 0, u32(1, samples, 1)),
    full('stsc', 0, u32(1, 1, samples, 1)),
    // A common sample size is stored once, however many samples there are.
    full('stsz', 0, u32(1, samples)),
    full('stco', 0, u32(1, 48)),
  );
  const data = box('dinf', full('dref', 0, u32(1), full('url ', 1)));
  const media = box(
    'mdia',
    full('mdhd', 0, u32(0, 0, 1_000, samples, 0x55c40000)),
    full('hdlr', 0, u32(0), Buffer.from('vide'), Buffer.alloc(13)),
    box('minf', full('vmhd', 1, Buffer.alloc(8)), data, table),
  );
  const head = [u32(0, 0, id, 0, 1_000), Buffer.alloc(16), u32(...IDENTITY), size];
  return box('trak', full('tkhd', 7, ...head), media);
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(8 + body.length), Buffer.from(type), body]);
}

function full(type: string, flags: number, ...content: Buffer[]): Buffer {
  return box(type, u32(flags), ...content);
}

function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, 4 * at);
  return bytes;
}

function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt16BE(value, 2 * at);
  return bytes;
}
