import { defineTool } from '../sdk/define-tool';
import { chat } from './chat';
import { extractJson } from './extract-json';
import { summarize } from './summarize';

export const tool = defineTool({
  name: 'language-model',
  displayName: 'Language models',
  subtitle: 'GPT and Claude: chat, summaries, structured data',
  description:
    'Ask large language models of OpenAI (GPT) and Anthropic (Claude) under one interface: chat with them, summarize long texts, and turn text into JSON that a schema allows. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['ai', 'text'],
  version: '1.0.0',
  skills: [chat, summarize, extractJson],
});
