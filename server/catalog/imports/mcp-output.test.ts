import { expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { noServices } from '../../tools/sdk/no-services';
import { mcpOutput } from './mcp-output';

const MAX_BLOCK_MS = 50;

it('reads a file in linear time, however its base64 is written @C13', async () => {
  const data = `AA${' '.repeat(40_000)}= =`;
  const content = [{ type: 'image' as const, mimeType: 'image/png', data }];
  const block = await measureLeastBlock(MAX_BLOCK_MS, 2, () =>
    mcpOutput({ content, _meta: {} }, false, noServices().files),
  );
  expect(block).toBeLessThan(MAX_BLOCK_MS);
});
