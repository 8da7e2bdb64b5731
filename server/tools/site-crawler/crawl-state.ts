import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export const pageRow = z.object({
  url: z.string().describe('Address of the page.'),
  title: z.string().describe('Its title; empty where it has none or was not read.'),
  status: z.int().nullable().describe('HTTP status; null where the site did not answer.'),
  words: z.int().describe('Words on the page.'),
  depth: z.int().describe('Links between the start and this page.'),
  error: z.string().nullable().describe('Why it was not read; null where it was.'),
});
export type PageRow = z.infer<typeof pageRow>;

/** What an attempt after a crash goes on from. */
const savedState = z.object({
  version: z.literal(1),
  start: z.string(),
  /** All addresses that were found, in the order in which they are read, with their depth. */
  found: z.array(z.tuple([z.string(), z.int()])),
  /** How many of them have been looked at. */
  next: z.int(),
  rows: z.array(pageRow),
  /** One line of JSON for each page that was read, deflated, in base64. */
  lines: z.array(z.string()),
});

/** Together below the 4 MiB of a checkpoint. */
const MAX_FOUND_CHARS = 1024 * 1024;
const MAX_LINES_CHARS = 2.5 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/** What a crawl knows; small enough to be kept after every few pages. */
export class CrawlState {
  readonly rows: PageRow[];
  readonly start: string;
  readonly #found: [string, number][];
  readonly #known: Set<string>;
  readonly #lines: string[];
  #next: number;
  #foundChars: number;
  #linesChars: number;

  private constructor({ start, found, next, rows, lines }: z.infer<typeof savedState>) {
    this.start = start;
    this.rows = rows;
    this.#found = found;
    this.#next = next;
    this.#lines = lines;
    this.#known = new Set(found.map(([url]) => url));
    this.#foundChars = found.reduce((sum, [url]) => sum + url.length, 0);
    this.#linesChars = lines.reduce((sum, line) => sum + line.length, 0);
  }

  static begin(start: string): CrawlState {
    return new CrawlState({ version: 1, start, found: [[start, 0]], next: 0, rows: [], lines: [] });
  }

  /** Null where nothing was kept, or by another version. */
  static resume(saved: unknown): CrawlState | null {
    const parsed = savedState.safeParse(saved);
    return parsed.success ? new CrawlState(parsed.data) : null;
  }

  toJSON(): z.infer<typeof savedState> {
    const { start, rows } = this;
    return { version: 1, start, found: this.#found, next: this.#next, rows, lines: this.#lines };
  }

  /** Pages that were read: what the crawl costs. */
  get read(): number {
    return this.rows.filter(({ error }) => error === null).length;
  }

  get known(): number {
    return this.#found.length;
  }

  get hasMore(): boolean {
    return this.#next < this.#found.length;
  }

  /** The next page to look at; it stays the next until `add`. */
  peek(): { url: string; depth: number } | null {
    const found = this.#found[this.#next];
    return found ? { url: found[0], depth: found[1] } : null;
  }

  enqueue(url: string, depth: number): void {
    if (this.#known.has(url) || this.#foundChars + url.length > MAX_FOUND_CHARS) return;
    this.#known.add(url);
    this.#foundChars += url.length;
    this.#found.push([url, depth]);
  }

  /** The page that was the next has been looked at. Its text is left out where there is too much already. */
  async add(row: PageRow | null, text: string): Promise<void> {
    this.#next += 1;
    if (row === null) return;
    if (row.error === null) {
      const { url, title, depth, words } = row;
      const kept = this.#linesChars < MAX_LINES_CHARS ? text : '';
      const line = (await deflate(JSON.stringify({ url, title, depth, words, text: kept }))).toString(
        'base64',
      );
      this.#lines.push(line);
      this.#linesChars += line.length;
    }
    this.rows.push(row);
  }

  /** The text of all pages as JSON lines. */
  async text(): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (const line of this.#lines) {
      parts.push(
        await inflate(Buffer.from(line, 'base64'), { maxOutputLength: MAX_LINE_BYTES }),
        Buffer.from('\n'),
      );
    }
    return Buffer.concat(parts);
  }
}
