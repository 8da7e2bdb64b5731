import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import { charsetField } from '../web-reader/charset-field';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export const pageRow = z.object({
  url: z.string().describe('URL of the page.'),
  title: z.string().describe('Title of the page; empty if it has none or was not read.'),
  status: z.int().nullable().describe('HTTP status; null if the site did not respond.'),
  words: z.int().describe('Number of words on the page.'),
  depth: z.int().describe('Number of links from the start to this page.'),
  error: z.string().nullable().describe('Why the page was not read; null if it was.'),
  charset: charsetField,
});
export type PageRow = z.infer<typeof pageRow>;

/** The checkpoint from which an attempt continues after a crash. */
const savedState = z.object({
  version: z.literal(1),
  start: z.string(),
  /** All URLs found with their depth, in the order in which they are read. */
  found: z.array(z.tuple([z.string(), z.int()])),
  /** How many of them have been processed. */
  next: z.int(),
  rows: z.array(pageRow),
  /** One line of JSON for each page read, deflated, in base64. */
  lines: z.array(z.string()),
});

/** In total below the 4 MiB of a checkpoint. */
const MAX_FOUND_CHARS = 1024 * 1024;
const MAX_LINES_CHARS = 2.5 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/** The progress of a crawl, small enough to be saved every few pages. */
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

  /** Returns null if nothing was saved, or by another version. */
  static resume(saved: unknown): CrawlState | null {
    const parsed = savedState.safeParse(saved);
    return parsed.success ? new CrawlState(parsed.data) : null;
  }

  toJSON(): z.infer<typeof savedState> {
    const { start, rows } = this;
    return { version: 1, start, found: this.#found, next: this.#next, rows, lines: this.#lines };
  }

  /** Pages read successfully, which are charged. */
  get read(): number {
    return this.rows.filter(({ error }) => error === null).length;
  }

  get known(): number {
    return this.#found.length;
  }

  get hasMore(): boolean {
    return this.#next < this.#found.length;
  }

  /** Returns the next page, and keeps returning it until `add`. */
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

  /**
   * Records the result of the next page. Omits its text once the stored texts reach their limit.
   */
  async add(row: PageRow | null, text: string): Promise<void> {
    this.#next += 1;
    if (row === null) return;
    if (row.error === null) {
      const { url, title, depth, words, charset } = row;
      const storedText = this.#linesChars < MAX_LINES_CHARS ? text : '';
      const line = (
        await deflate(JSON.stringify({ url, title, depth, words, charset, text: storedText }))
      ).toString('base64');
      this.#lines.push(line);
      this.#linesChars += line.length;
    }
    this.rows.push(row);
  }

  /** Returns the text of all pages as JSON lines. */
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
