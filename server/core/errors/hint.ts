/** Transports with different next steps: a route and a header, or a tool and an argument. */
export type HintTransport = 'rest' | 'mcp';

/** What the client should do next: one text for every transport, or one for each. */
export type Hint = string | Readonly<Record<HintTransport, string>>;

/** Returns the text of a hint for a transport. */
export function wordHint(hint: Hint, transport: HintTransport): string {
  return typeof hint === 'string' ? hint : hint[transport];
}

/** Joins two hints into one that has both sentences. */
export function joinHints(first: Hint, second: Hint): Hint {
  const join = (transport: HintTransport) => `${wordHint(first, transport)} ${wordHint(second, transport)}`;
  return { rest: join('rest'), mcp: join('mcp') };
}
