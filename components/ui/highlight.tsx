import type { ReactNode } from 'react';

/** One regex for shell, JSON, TypeScript and Python: strings, comments, numbers and keywords. */
const TOKEN =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)(\s*:)?|((?<=^|\s)#[^\n]*|(?<=^|\s)\/\/[^\n]*)|(?<![\w.]|\w:)(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|\b(await|const|import|from|if|not|print|return|throw|new|raise|true|false|null|True|False|None)\b/gm;

/** Light syntax highlighting: strings in the accent colour, comments muted, keywords bold. */
export function highlight(code: string): ReactNode[] {
  const out: ReactNode[] = [];
  let last = 0;
  for (const match of code.matchAll(TOKEN)) {
    const [whole, text, colon, comment, number] = match;
    if (match.index > last) out.push(code.slice(last, match.index));
    const className =
      comment !== undefined
        ? 'tok-comment'
        : text !== undefined
          ? colon === undefined
            ? 'tok-string'
            : 'tok-key'
          : number !== undefined
            ? 'tok-number'
            : 'tok-word';
    out.push(
      <span key={match.index} className={className}>
        {whole}
      </span>,
    );
    last = match.index + whole.length;
  }
  if (last < code.length) out.push(code.slice(last));
  return out;
}
