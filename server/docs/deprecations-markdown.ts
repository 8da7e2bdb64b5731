import { DEPRECATIONS, type Deprecation, type Deprecations } from '../core/versions/deprecations';

/** Renders the table of deprecated routes and tools, routes first. */
export function deprecationsMarkdown({ routes, tools }: Deprecations = DEPRECATIONS): string {
  const entries = [...Object.entries(routes), ...Object.entries(tools)];
  if (entries.length === 0) return 'Nothing is deprecated.';
  return [
    '| What | Since | Answers until | Instead |',
    '| --- | --- | --- | --- |',
    ...entries.map(([name, entry]) => row(name, entry)),
  ].join('\n');
}

function row(name: string, { since, sunset, replacement, link }: Deprecation): string {
  const day = (instant: string | undefined) => instant?.slice(0, 10) ?? 'no date yet';
  const instead = replacement ? `\`${replacement}\`` : `[read on](${link})`;
  return `| \`${name}\` | ${day(since)} | ${day(sunset)} | ${instead} |`;
}
