/** The heaviest inputs within a 1 MiB body, for calls/attempt-call.blocking.test.ts. */
export const heaviest: [string, string, unknown][] = [
  ['media.transcode', 'a clip', { file: 'asset_sample_clip', to: 'mp4' }],
  ['media.thumbnail', 'a frame', { file: 'asset_sample_clip', format: 'png' }],
  ['media.extract_audio', 'a clip', { file: 'asset_sample_clip', to: 'wav' }],
];
