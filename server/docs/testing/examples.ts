import { readInfo } from '../parse-markdown';

/** A fenced block of a document, for the example runner. */
export interface Example {
  language: string;
  code: string;
  /** Line of the fence, for messages. */
  line: number;
  /** The expected output of the blocks above it. */
  answer: boolean;
  /** Why it is not run here; null if it is. */
  skip: string | null;
}

/** Languages that are run; JSON and text blocks are responses or illustrations. */
export const RUN_LANGUAGES: ReadonlySet<string> = new Set(['sh', 'ts', 'python', 'js']);

/** Every fenced block, in order. */
export function parseExamples(markdown: string): Example[] {
  const lines = markdown.split('\n');
  const found: Example[] = [];
  for (let at = 0; at < lines.length; at++) {
    const open = /^```(.*)$/.exec(lines[at] ?? '');
    if (!open) continue;
    const end = lines.indexOf('```', at + 1);
    const { language, info } = readInfo(open[1]);
    found.push({
      language,
      code: `${lines.slice(at + 1, end).join('\n')}\n`,
      line: at + 1,
      answer: /\banswer\b/.test(info),
      skip: /\bskip="([^"]+)"/.exec(info)?.[1] ?? null,
    });
    at = end;
  }
  return found;
}
