import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { KeyActor } from '../../core/trpc/actor';
import type { Credentials } from '../../core/trpc/context';

/** One MCP request. */
export interface McpRequest {
  readonly runtime: Runtime;
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly credentials: Credentials;
  /** The key that authenticated the request; null without one. */
  readonly actor: KeyActor | null;
  /**
   * The client's `Mcp-Session-Id` in the 2025 versions; null if it sends none, and from 2026-07-28
   * on. Used only to distinguish clients of one key that number their requests alike.
   */
  readonly session: string | null;
}

/** One MCP request as tools, resources and prompts see it. */
export interface McpCall extends McpRequest {
  /** `modern` from 2026-07-28 on. */
  readonly era: 'legacy' | 'modern';
}
