import { defineTool } from '../sdk/define-tool';
import { transcribe } from './transcribe';

export const tool = defineTool({
  name: 'transcription',
  displayName: 'Transcription',
  subtitle: 'Speech to text, by OpenAI',
  description:
    'Turn recordings of speech into text, with times for subtitles where wanted, with the speech models of OpenAI. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['ai', 'audio'],
  version: '1.0.0',
  skills: [transcribe],
});
