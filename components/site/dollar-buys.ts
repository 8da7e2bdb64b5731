import type { Tool } from '@/server/catalog/tools/schema';

/** Skills with a unit that is easy to picture, and the label of the unit. */
const EXAMPLES = [
  { tool: 'web-reader', skill: 'read', what: 'web pages read as text' },
  { tool: 'document', skill: 'markdown_to_pdf', what: 'PDFs created from text' },
  { tool: 'image', skill: 'resize', what: 'images resized' },
  { tool: 'screenshot', skill: 'capture', what: 'screenshots of pages' },
  { tool: 'web-search', skill: 'search', what: 'web searches' },
  { tool: 'transcription', skill: 'transcribe', what: 'minutes of speech transcribed' },
] as const;
const SHOWN = 4;

/** How many units a dollar buys at this catalogue's prices; only skills that exist and are paid. */
export function dollarBuys(tools: readonly Tool[]): { count: number; what: string; tool: string }[] {
  return EXAMPLES.flatMap(({ tool, skill, what }) => {
    const pricing = tools
      .find(({ name }) => name === tool)
      ?.skills.find(({ name, availability }) => name === skill && availability === 'ready')?.pricing;
    if (!pricing || pricing.free || pricing.price_usd <= 0) return [];
    // In whole micro-dollars, as they are charged: 1 / 0.001 is not always exactly a thousand.
    return [{ count: Math.floor(1_000_000 / Math.round(pricing.price_usd * 1e6)), what, tool }];
  }).slice(0, SHOWN);
}
