export const heaviest: [string, string, unknown][] = [
  ['transcription.transcribe', 'a video with times', { file: 'asset_sample_clip', timestamps: true }],
];
