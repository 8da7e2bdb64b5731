import type { Tool } from '@/server/catalog/tools/schema';

/** Skills whose unit is something one can imagine, and what it is called. */
const EXAMPLES = [
  { tool: 'web-reader', skill: 'read', what: 'web pages read as text' },
  { tool: 'document', skill: 'markdown_to_pdf', what: 'PDFs written from text' },
  { tool: 'image', skill: 'resize', what: 'pictures resized' },
  { tool: 'screenshot', skill: 'capture', what: 'screenshots of pages' },
  { tool: 'web-search', skill: 'search', what: 'searches of the web' },
  { tool: 'transcription', skill: 'transcribe', what: 'minutes of speech written down' },
] as const;
const SHOWN = 4;

/** How many of each a dollar pays for, at the prices of this catalogue; only what it has and what costs something. */
export function dollarBuys(tools: readonly Tool[]): { count: number; what: string; tool: string }[] {
  return EXAMPLES.flatMap(({ tool, skill, what }) => {
    const pricing = tools
      .find(({ name, available }) => name === tool && available)
      ?.skills.find(({ name }) => name === skill)?.pricing;
    if (!pricing || pricing.free || pricing.price_usd <= 0) return [];
    // Whole micro-dollars, as they are charged: 1 / 0.001 would not always be a thousand.
    return [{ count: Math.floor(1_000_000 / Math.round(pricing.price_usd * 1e6)), what, tool }];
  }).slice(0, SHOWN);
}
