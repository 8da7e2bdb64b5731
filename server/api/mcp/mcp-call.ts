import type { HttpRequest } from '../../core/http/message';
import type { Runtime } from '../../core/runtime';
import type { KeyActor } from '../../core/trpc/actor';
import type { Credentials } from '../../core/trpc/context';

/** One request of MCP, as it came in. */
export interface McpRequest {
  readonly runtime: Runtime;
  readonly request: HttpRequest;
  readonly requestId: string;
  readonly credentials: Credentials;
  /** Whose key it was when the request came in; null without one. */
  readonly actor: KeyActor | null;
  /**
   * Of the 2025 versions, the `Mcp-Session-Id` the client sends: it tells apart clients of one key that number their
   * requests alike, and nothing else. Null where it sends none, and from 2026-07-28 on.
   */
  readonly session: string | null;
}

/** One request of MCP, as tools, resources and prompts see it. */
export interface McpCall extends McpRequest {
  /** `modern` from 2026-07-28 on. */
  readonly era: 'legacy' | 'modern';
}
