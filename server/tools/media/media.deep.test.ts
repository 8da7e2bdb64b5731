import { it } from 'vitest';
import { createMediaTool, type FORMATS, suite } from './testing/media-tool';

const { expectPlayable, expectMemoryBound } = createMediaTool();
const formats = ['mp4', 'webm', 'gif', 'mp3', 'wav', 'ogg'] as const satisfies (keyof typeof FORMATS)[];

suite('media.transcode', () => {
  it.each(formats)('creates %s that can be played', expectPlayable);
});

suite('a file that claims more than it contains', () => {
  it.runIf(process.platform === 'linux').each<[string, Parameters<typeof expectMemoryBound>[0]]>([
    ['with full confinement', {}],
    ['without confinement', { layers: ['none'] }],
  ])('is ended when it takes too much memory: %s', (_, confinement) => expectMemoryBound(confinement));
});
