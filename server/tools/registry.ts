import { tool as chart } from './chart';
import { tool as code } from './code';
import { tool as codes } from './codes';
import { tool as data } from './data';
import { tool as diagnostics } from './diagnostics';
import { tool as document } from './document';
import { tool as email } from './email';
import { tool as embeddings } from './embeddings';
import { tool as image } from './image';
import { tool as imageGeneration } from './image-generation';
import { tool as languageModel } from './language-model';
import { tool as math } from './math';
import { tool as media } from './media';
import { tool as pdf } from './pdf';
import { tool as scrape } from './scrape';
import { tool as screenshot } from './screenshot';
import type { ToolDefinition } from './sdk/define-tool';
import { tool as siteCrawler } from './site-crawler';
import { tool as speech } from './speech';
import { tool as text } from './text';
import { tool as transcription } from './transcription';
import { tool as webReader } from './web-reader';
import { tool as webSearch } from './web-search';

/** All built-in tools. To add a tool, add it to this list. */
export const tools: readonly ToolDefinition[] = [
  chart,
  code,
  codes,
  data,
  diagnostics,
  document,
  email,
  embeddings,
  image,
  imageGeneration,
  languageModel,
  math,
  media,
  pdf,
  scrape,
  screenshot,
  siteCrawler,
  speech,
  text,
  transcription,
  webReader,
  webSearch,
];
