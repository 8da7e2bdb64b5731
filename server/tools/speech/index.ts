import { defineTool } from '../sdk/define-tool';
import { textToSpeech } from './text-to-speech';

export const tool = defineTool({
  name: 'speech',
  displayName: 'Speech',
  subtitle: 'Read a text aloud, by OpenAI or ElevenLabs',
  description:
    'Turn text into natural speech with the voices of OpenAI and ElevenLabs, as MP3, Opus, WAV, FLAC or AAC. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['ai', 'audio'],
  version: '1.0.0',
  skills: [textToSpeech],
});
