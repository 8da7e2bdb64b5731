export const heaviest: [string, string, unknown][] = [
  ['speech.text_to_speech', 'the longest text', { text: '漢'.repeat(4_096), format: 'wav' }],
];
