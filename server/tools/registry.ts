import { tool as chart } from './chart';
import { tool as code } from './code';
import { tool as codes } from './codes';
import { tool as data } from './data';
import type { ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as image } from './image';
import { tool as math } from './math';
import { tool as media } from './media';
import { tool as pdf } from './pdf';
import { tool as siteCrawler } from './site-crawler';
import { tool as text } from './text';
import { tool as webReader } from './web-reader';

/** All tools of this gateway. Adding one is adding a line here. */
export const tools: readonly ToolDefinition[] = [chart, code, codes, data, diagnostics, image, math, media, pdf, siteCrawler, text, webReader];
