import { createSearchIndex } from '@/server/catalog/tools/search-index';
import { measureSearch, readGoldSet } from '@/server/catalog/tools/search-quality';
import { tools } from '@/server/tools/registry';

/** Measures how well search finds tools for the gold set of natural-language queries. */
export function searchSection(root: string): string {
  const index = createSearchIndex(tools);
  const gold = readGoldSet(root);
  const parts: [string, typeof gold][] = [
    ['all', gold],
    ['held out', gold.filter(({ heldOut }) => heldOut)],
  ];
  const rows = parts.map(([name, requests]) => {
    const quality = measureSearch((query) => index.search(query).found, requests);
    const { recallAt1, recallAt3, mrr, skillAt1, falseHits } = quality;
    const shares = [recallAt1, recallAt3, mrr, skillAt1, falseHits].map((share) => share.toFixed(3));
    return `| ${[name, quality.requests, ...shares].join(' | ')} |`;
  });
  return [
    '## Search\n',
    '| Requests | Number | recall@1 | recall@3 | MRR | skill@1 | false hits |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}
