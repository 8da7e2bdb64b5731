import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readGuides } from '../../docs/read-guides';
import { gatewaySurface } from './gateway-surface';

it('the guide lists every MCP tool and no other, and no guide counts them', async () => {
  const guide = await readFile('docs/guides/mcp.md', 'utf8');
  const table = guide.slice(guide.indexOf('## The tools'), guide.indexOf('\nResources:'));
  const cells = table.split('\n').flatMap((line) => line.split('|')[1] ?? []);
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual(gatewaySurface.tools.map(({ listed: { name } }) => name).sort());
  for (const { markdown } of await readGuides('http://gateway.test'))
    expect(markdown).not.toMatch(/\b(?:\d+|\w+teen|nine|ten|eleven|twelve|twenty) MCP tools/);
});
