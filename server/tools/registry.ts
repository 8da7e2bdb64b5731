import { tool as chart } from './chart';
import { tool as codes } from './codes';
import type { ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as document } from './document';
import { tool as image } from './image';
import { tool as math } from './math';
import { tool as pdf } from './pdf';
import { tool as text } from './text';

/** All tools of this gateway. Adding one is adding a line here. */
export const tools: readonly ToolDefinition[] = [chart, codes, diagnostics, document, image, math, pdf, text];
