import { tool as codes } from './codes';
import type { ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as math } from './math';
import { tool as siteCrawler } from './site-crawler';
import { tool as text } from './text';
import { tool as webReader } from './web-reader';

/** All tools of this gateway. Adding one is adding a line here. */
export const tools: readonly ToolDefinition[] = [codes, diagnostics, math, siteCrawler, text, webReader];
