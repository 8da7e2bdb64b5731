import { tool as code } from './code';
import { tool as codes } from './codes';
import { tool as data } from './data';
import type { ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as math } from './math';
import { tool as media } from './media';
import { tool as text } from './text';

/** All tools of this gateway. Adding one is adding a line here. */
export const tools: readonly ToolDefinition[] = [code, codes, data, diagnostics, math, media, text];
