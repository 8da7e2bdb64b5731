import { createHash } from 'node:crypto';
import type { Runtime } from '../core/runtime';
import { writeSkill } from './agent-texts';

/**
 * API catalog (RFC 9727): the APIs, their descriptions and documentation, as a linkset (RFC 9264).
 */
export function writeApiCatalog({ settings: { baseUrl } }: Pick<Runtime, 'settings'>): string {
  const documentation = (path: string) => [
    { href: `${baseUrl}${path}`, type: 'text/html' },
    { href: `${baseUrl}/llms-full.txt`, type: 'text/plain' },
  ];
  return json({
    linkset: [
      {
        anchor: `${baseUrl}/v1`,
        'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
        'service-doc': documentation('/docs'),
        status: [{ href: `${baseUrl}/healthz`, type: 'application/json' }],
      },
      { anchor: `${baseUrl}/mcp`, 'service-doc': documentation('/docs/mcp') },
    ],
  });
}

/** The schema of the index below: Agent Skills Discovery, draft 0.2.0 (agentskills.io). */
const SKILLS_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/**
 * The index of Agent Skills: one, which teaches how to use this gateway. The digest covers its
 * bytes.
 */
export async function writeSkillIndex(runtime: Pick<Runtime, 'settings'>): Promise<string> {
  const skill = await writeSkill(runtime);
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(skill)?.[1] ?? '';
  return json({
    $schema: SKILLS_SCHEMA,
    skills: [
      {
        name: field('name'),
        type: 'skill-md',
        description: field('description'),
        url: `${runtime.settings.baseUrl}/skill.md`,
        digest: `sha256:${createHash('sha256').update(skill).digest('hex')}`,
      },
    ],
  });
}

/** Validity of the file in days; RFC 9116 recommends less than a year. */
const SECURITY_DAYS = 90;
const DAY_MS = 86_400_000;

/** `/.well-known/security.txt` (RFC 9116); null where the operator named no contact. */
export function writeSecurityText({
  settings: { baseUrl, securityContact },
}: Pick<Runtime, 'settings'>): Promise<string | null> {
  if (securityContact === null) return Promise.resolve(null);
  // Rounded to days, so that the file and its ETag change once a day.
  const expires = new Date((Math.floor(Date.now() / DAY_MS) + SECURITY_DAYS) * DAY_MS);
  const lines = [
    `Contact: ${securityContact}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
  ];
  return Promise.resolve(`${lines.join('\n')}\n`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
