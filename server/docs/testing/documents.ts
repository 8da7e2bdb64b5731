import { GUIDE_LIST } from '../guide-list';
import { readDocument } from '../read-guides';

/** Of the README only this: the rest is about a checkout of its own. */
const FIRST_CALL = 'README.md, First call in a minute';

/** The one that the quick suite runs. */
export const QUICKSTART = 'docs/guides/quickstart.md';

/** Every document whose examples are promised to run. */
export const DOCUMENTS = [
  ...GUIDE_LIST.map(({ file }) => file),
  'docs/agents/llms.md',
  'docs/agents/skill.md',
  FIRST_CALL,
];

/** The text of one of them, for a gateway at `baseUrl`. */
export async function readGuide(file: string, baseUrl: string): Promise<string> {
  if (file !== FIRST_CALL) return await readDocument(file, baseUrl);
  const readme = await readDocument('README.md', baseUrl);
  const from = readme.indexOf('## First call in a minute');
  return readme.slice(from, readme.indexOf('\n## ', from + 1));
}
