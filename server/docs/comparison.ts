import { findGuide, type GuideSource } from './get-guide';
import { plainText } from './parse-markdown';
import type { Block, Comparison, ComparisonLink, ComparisonVerdict, Inline } from './schema';

/** The guide with the table of all products; these pages are columns of it. */
const SOURCE_GUIDE = 'comparison';
const FIRST_PEER_COLUMN = 2;

type TableBlock = Extract<Block, { kind: 'table' }>;

/** Lists the products that the comparison guide has a column for, in its order. */
export async function listComparisons(runtime: GuideSource): Promise<ComparisonLink[]> {
  return toLinks((await readSource(runtime)).table);
}

/**
 * Compares this gateway with one product, from the column of the comparison guide.
 * @param slug as in `ComparisonLink`
 * @returns null if the guide has no such product
 */
export async function findComparison(runtime: GuideSource, slug: string): Promise<Comparison | null> {
  const { table, blocks } = await readSource(runtime);
  const links = toLinks(table);
  const at = links.findIndex((link) => link.slug === slug);
  const link = links[at];
  if (!link) return null;
  return {
    ...link,
    rows: table.rows.map((row) => toRow(row, at + FIRST_PEER_COLUMN)),
    ahead: findAhead(blocks, link.name),
    read_on: findReadOn(blocks),
    sources: findSources(blocks, link.name),
    others: links.filter((other) => other.slug !== slug),
  };
}

async function readSource(runtime: GuideSource): Promise<{ table: TableBlock; blocks: Block[] }> {
  const blocks = (await findGuide(runtime, SOURCE_GUIDE))?.blocks ?? [];
  const table = blocks.find((block) => block.kind === 'table');
  if (!table) throw new Error(`docs: the guide "${SOURCE_GUIDE}" has no table`);
  return { table, blocks };
}

function toLinks(table: TableBlock): ComparisonLink[] {
  return table.head.slice(FIRST_PEER_COLUMN).map((cell, at) => {
    // "LiteLLM (proxy)": what is in brackets is no part of the name.
    const name = plainText(cell).replace(/\s*\(.*\)$/, '');
    const slug = name.toLowerCase();
    const rows = table.rows.map((row) => toRow(row, at + FIRST_PEER_COLUMN));
    return {
      name,
      slug,
      href: `/compare/${slug}`,
      features: rows.length,
      documented: rows.filter(({ theirs }) => theirs.verdict === 'yes').length,
    };
  });
}

function toRow(row: readonly Inline[][], column: number): Comparison['rows'][number] {
  return { feature: row[0] ?? [], ours: readCell(row[1] ?? []), theirs: readCell(row[column] ?? []) };
}

/** Splits "**Partly**: only models (source)" into its verdict and the words after it. */
function readCell(cell: readonly Inline[]): ComparisonVerdict {
  const [first, ...rest] = cell;
  const word = first?.kind === 'strong' ? plainText(first.children).toLowerCase() : '';
  if (word !== 'yes' && word !== 'partly' && word !== 'no')
    throw new Error(`docs: a cell of the guide "${SOURCE_GUIDE}" lacks its verdict: ${plainText(cell)}`);
  const [next, ...others] = rest;
  if (next?.kind !== 'text') return { verdict: word, text: rest };
  const text = next.text.replace(/^[:,]?\s*/, '');
  return { verdict: word, text: [{ kind: 'text', text }, ...others] };
}

/** What the guide says a product does better: items of its lists that begin with the name. */
function findAhead(blocks: readonly Block[], name: string): Inline[][] {
  return listItems(blocks).filter(
    ([first]) => first?.kind === 'strong' && plainText(first.children) === name,
  );
}

/** The item about the sources of a product: it begins with the name and a colon. */
function findSources(blocks: readonly Block[], name: string): Inline[] {
  const item = listItems(blocks).find((children) => plainText(children).startsWith(`${name}: `));
  if (!item) throw new Error(`docs: the guide "${SOURCE_GUIDE}" does not say what was read of ${name}`);
  return item;
}

/** The day in "Everything was read on 26 Nov 2026". */
function findReadOn(blocks: readonly Block[]): string {
  const texts = blocks.map((block) => (block.kind === 'paragraph' ? plainText(block.children) : ''));
  const day = /was read on (\d{1,2} \w{3,4} \d{4})/.exec(texts.join('\n'))?.[1];
  if (!day) throw new Error(`docs: the guide "${SOURCE_GUIDE}" does not say when its sources were read`);
  return day;
}

function listItems(blocks: readonly Block[]): Inline[][] {
  return blocks
    .flatMap((block) => (block.kind === 'list' ? block.items : []))
    .flatMap(([block]) => (block?.kind === 'paragraph' ? [block.children] : []));
}
