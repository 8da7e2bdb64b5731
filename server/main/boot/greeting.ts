import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../platform/settings/settings';
import { describeStop, type Screen, wrapText } from './terminal-texts';

interface Greeting {
  settings: Settings;
  first: boolean;
  signInLink: string | null;
  seconds: number;
  /** Web processes behind the port. */
  processes?: number;
  screen: Screen;
}

const NARROW_COLUMNS = 60;
const LABEL_COLUMNS = 12;

/** Whether this is the first start on the data folder. Records the start. */
export function isFirstStart(dataDir: string): boolean {
  const marker = join(dataDir, 'started');
  if (existsSync(marker)) return false;
  writeFileSync(marker, `${new Date().toISOString()}\n`, { mode: 0o600 });
  return true;
}

/** Formats the message for the person who started the gateway. */
export function greeting({ settings, first, signInLink, seconds, processes = 1, screen }: Greeting): string {
  const { baseUrl, smtpUrl, production } = settings;
  const { text, field, commands } = createLayout(screen);
  const lines = ['', ...text(`Tool Gateway is ready after ${seconds.toFixed(1)} s`), ''];
  lines.push(...field('Address', baseUrl));
  if (processes > 1) lines.push(...field('Processes', String(processes)));
  if (signInLink) lines.push(...field('Sign in', signInLink, '(this link works once)'));
  else {
    const how = smtpUrl || production ? '' : ': the link appears here';
    lines.push(...field('Sign in', `${baseUrl}/sign-in`, `(as ${settings.operatorEmail}${how})`));
  }
  if (first)
    lines.push(
      '',
      ...text('Make your first call, as an agent does:'),
      '',
      ...commands(firstCall(baseUrl)),
      '',
      ...text('Then open the claim_url that it prints: the key and its calls are yours.'),
      ...text(`Agents read ${baseUrl}/skill.md`),
    );
  lines.push('', ...text(describeStop(screen)), '');
  return lines.join('\n');
}

/**
 * Aligns fields, and indents them and commands. Where a line has no room for that, a value or a
 * command begins at the left, so that it can be copied whole.
 */
function createLayout({ columns }: Screen) {
  const isNarrow = columns < NARROW_COLUMNS;
  const text = (words: string, indent = '  ') =>
    wrapText(words, columns - indent.length).map((line) => `${indent}${line}`);
  return {
    text,
    field(name: string, value: string, note?: string): string[] {
      const fits = !isNarrow || LABEL_COLUMNS + value.length <= columns;
      const notes = note ? text(note, fits ? ' '.repeat(LABEL_COLUMNS) : '  ') : [];
      return fits ? [`  ${name}`.padEnd(LABEL_COLUMNS) + value, ...notes] : [`  ${name}`, value, ...notes];
    },
    commands: (lines: string[]) => (isNarrow ? lines : lines.map((line) => `    ${line}`)),
  };
}

/** Creates a key without sign-up and calls a tool with it, as README.md does. */
function firstCall(baseUrl: string): string[] {
  return [
    `NEW=$(curl -s -X POST ${baseUrl}/v1/auth/provision); echo "$NEW"`,
    `export TOOL_GATEWAY_KEY=$(echo "$NEW" | sed -n 's/.*"api_key":"\\(tg_live_[^"]*\\)".*/\\1/p')`,
    `curl -s ${baseUrl}/v1/tools/call -H "Authorization: Bearer $TOOL_GATEWAY_KEY" \\`,
    `  -H 'Content-Type: application/json' -d '{"tool":"text","skill":"stats","input":{"text":"To be, or not to be."}}'`,
  ];
}
