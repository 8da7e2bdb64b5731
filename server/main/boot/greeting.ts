import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../platform/settings/settings';

interface Greeting {
  settings: Settings;
  first: boolean;
  signInLink: string | null;
  seconds: number;
  /** Web processes behind the port. */
  processes?: number;
}

/** Whether this is the first start on the data folder. Records the start. */
export function isFirstStart(dataDir: string): boolean {
  const marker = join(dataDir, 'started');
  if (existsSync(marker)) return false;
  writeFileSync(marker, `${new Date().toISOString()}\n`, { mode: 0o600 });
  return true;
}

/** Formats the message for the person who started the gateway. */
export function greeting({ settings, first, signInLink, seconds, processes = 1 }: Greeting): string {
  const { baseUrl, smtpUrl, production } = settings;
  const lines = ['', `  Tool Gateway is ready after ${seconds.toFixed(1)} s`, '', `  Address   ${baseUrl}`];
  if (processes > 1) lines.push(`  Processes ${processes}`);
  if (signInLink) {
    lines.push(`  Sign in   ${signInLink}`, '            (this link works once)');
  } else {
    const how = smtpUrl || production ? '' : ': the link appears here';
    lines.push(`  Sign in   ${baseUrl}/sign-in`, `            (as ${settings.operatorEmail}${how})`);
  }
  if (first)
    lines.push(
      '',
      '  Make your first call, as an agent does:',
      '',
      ...firstCall(baseUrl).map((line) => `    ${line}`),
      '',
      '  Then open the claim_url that it prints: the key and its calls are yours.',
      `  Agents read ${baseUrl}/skill.md`,
    );
  lines.push('', '  Press Ctrl-C to stop.', '');
  return lines.join('\n');
}

/** Creates a key without sign-up and calls a tool with it, as README.md does. */
function firstCall(baseUrl: string): string[] {
  return [
    `NEW=$(curl -s -X POST ${baseUrl}/v1/auth/provision); echo "$NEW"`,
    `KEY=$(echo "$NEW" | sed -n 's/.*"api_key":"\\(tg_live_[^"]*\\)".*/\\1/p')`,
    `curl -s ${baseUrl}/v1/tools/call -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\`,
    `  -d '{"tool":"text","skill":"stats","input":{"text":"To be, or not to be."}}'`,
  ];
}
