import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS } from '../../core/errors/catalogue';
import { readStoredHint, rewordForMcp } from '../../core/errors/error-body';
import { wordHint } from '../../core/errors/hint';
import { gatewaySurface } from './gateway-surface';

/** What only a client of REST has. */
const REST =
  /\b(?:GET|POST|PUT|PATCH|DELETE) \/|\/v1\/|\b[Hh]eaders?\b|Bearer|poll_url|Retry-After|Idempotency-Key|X-Provider-Key|If-Match|Content-Type|Content-Range|openapi\.json|\bcurl\b/;
/** Code that MCP does not reach, and refusals of its HTTP request, which a developer reads. */
const NOT_OVER_MCP =
  /^(?:main|api\/(?:http|dispatch|trpc|mcp\/mcp-endpoint)|platform|notifications\/webhooks|operations|lifecycle\/export|identity\/(?:oauth|sessions)|money\/top-ups|catalog\/credentials\/(?:describe-requirement|remove-credential))\b/;
/** The text of `hint: …` up to its end or to the braces of a hint per transport. */
const VALUE = /\b(?:hint|HINT|mcp):\s*((?:[^{},;'"`]|'(?:\\.|[^'\n])*'|"(?:\\.|[^"\n])*"|`(?:\\.|[^`])*`)*)/g;
const TOOL = /\b(?:get|list|search|call|cancel|upload|delete|review)_[a-z_]+\b/g;

const server = new URL('../../', import.meta.url).pathname;

function readHints(): { place: string; text: string }[] {
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(file),
  );
  return files.flatMap((file) =>
    [...readFileSync(server + file, 'utf8').matchAll(VALUE)].map(([whole, text = '']) => ({
      place: file,
      text: whole.startsWith('mcp') || !NOT_OVER_MCP.test(file) ? resolveConstant(file, text) : '',
    })),
  );
}

/** The text of a constant of the file, where a hint is one; it may have a text per transport. */
function resolveConstant(file: string, text: string): string {
  const name = /^[A-Z][A-Z_]*$/.exec(text.trim())?.[0];
  if (name === undefined) return text;
  const value =
    new RegExp(`const ${name} =\\s*([^;]*);`).exec(readFileSync(server + file, 'utf8'))?.[1] ?? '';
  return value.startsWith('{') ? value.slice(value.indexOf('mcp:')) : value;
}

describe('a hint over MCP', () => {
  const hints = [
    ...ERROR_CODES.map((code) => ({ place: code, text: wordHint(ERRORS[code].hint, 'mcp') })),
    ...readHints(),
  ];

  it('has no word of REST, whichever code writes it', () => {
    expect(hints.length).toBeGreaterThan(120);
    expect(hints.filter(({ text }) => REST.test(text))).toEqual([]);
  });

  it('has no word of REST in the listing of a tool, but where a person sets a key', () => {
    const { tools: listed } = gatewaySurface;
    const texts = listed.map((tool) => ({ name: tool.listed.name, text: JSON.stringify(tool.listed) }));
    expect(texts.filter(({ name, text }) => name !== 'get_key' && REST.test(text))).toEqual([]);
  });

  it('names only tools that exist', () => {
    const tools = new Set(gatewaySurface.tools.map(({ listed }) => listed.name));
    const named = ERROR_CODES.flatMap((code) => wordHint(ERRORS[code].hint, 'mcp').match(TOOL) ?? []);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !tools.has(name))).toEqual([]);
  });

  it('is restored from a stored error, which has the words of REST', () => {
    const code = 'ASSET_NOT_FOUND';
    const stored = { code, resolution_hint: wordHint(ERRORS[code].hint, 'rest') } as const;
    expect(rewordForMcp(stored).resolution_hint).toContain('upload_asset');
    expect(readStoredHint({ code, resolution_hint: 'Another.' })).toBe('Another.');
  });
});
