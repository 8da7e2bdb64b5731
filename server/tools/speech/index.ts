import { defineTool } from '../sdk/define-tool';
import { textToSpeech } from './text-to-speech';

export const tool = defineTool({
  name: 'speech',
  displayName: 'Speech',
  subtitle: 'Read a text aloud, by OpenAI or ElevenLabs',
  description:
    'Turn text into natural speech with the voices of OpenAI and ElevenLabs, as MP3, Opus, WAV, FLAC or AAC. Use the gateway’s account, or bring your own API key.',
  categories: ['ai', 'audio'],
  version: '1.0.0',
  skills: [textToSpeech],
});
