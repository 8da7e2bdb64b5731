import { defineTool } from '../sdk/define-tool';
import { embed } from './embed';

export const tool = defineTool({
  name: 'embeddings',
  displayName: 'Embeddings',
  subtitle: 'Texts as vectors, by OpenAI',
  description:
    'Turn texts into vectors for semantic search, retrieval (RAG), clustering and finding near duplicates, with the embedding models of OpenAI. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['ai', 'text'],
  version: '1.0.0',
  skills: [embed],
});
