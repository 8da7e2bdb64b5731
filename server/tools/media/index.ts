import { defineTool } from '../sdk/define-tool';
import { extractAudio } from './extract-audio';
import { findMissingFfmpeg } from './run-ffmpeg';
import { thumbnail } from './thumbnail';
import { transcode } from './transcode';

export const tool = defineTool({
  name: 'media',
  displayName: 'Video and audio',
  subtitle: 'Convert, cut, and take stills and sound',
  description:
    'Work with films and recordings. Convert video and audio between formats, cut pieces, shrink them, make animated GIFs, take a still frame, and pull out the sound. Runs ffmpeg on this gateway, up to 10 minutes of media a call.',
  categories: ['media', 'files'],
  version: '1.0.0',
  skills: [transcode, thumbnail, extractAudio],
  findEngine: findMissingFfmpeg,
});
