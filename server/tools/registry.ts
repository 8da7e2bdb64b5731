import { tool as codes } from './codes';
import type { ToolDefinition } from './define-tool';
import { tool as diagnostics } from './diagnostics';
import { tool as math } from './math';

export const tools: readonly ToolDefinition[] = [codes, diagnostics, math];
