import { GUIDE_LIST } from '../guide-list';
import { readDocument } from '../read-guides';

/** The only tested section of the README: the others need a checkout. */
const FIRST_CALL = 'README.md, First call in a minute';

/** The document that the quick suite runs. */
export const QUICKSTART = 'docs/guides/quickstart.md';

/** Every document with examples that must run. */
export const DOCUMENTS = [
  ...GUIDE_LIST.map(({ file }) => file),
  'docs/agents/llms.md',
  'docs/agents/skill.md',
  FIRST_CALL,
];

/** Reads one of the documents for a gateway at `baseUrl`. */
export async function readGuide(file: string, baseUrl: string): Promise<string> {
  if (file !== FIRST_CALL) return await readDocument(file, baseUrl);
  const readme = await readDocument('README.md', baseUrl);
  const from = readme.indexOf('## First call in a minute');
  return readme.slice(from, readme.indexOf('\n## ', from + 1));
}
