import Link from 'next/link';
import type { Inline } from '@/server/docs/schema';

/** Paths that are not pages of the app need a full page load. */
const PLAIN = /^\/(?:openapi\.json|llms(?:-full)?\.txt|skill\.md|mcp|healthz|v1\/|files\/)/;

/** A run of inline text of a guide. */
export function InlineText({ children }: { children: readonly Inline[] }) {
  return children.map((child, at) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text are never reordered
    return <Piece key={at} piece={child} />;
  });
}

function Piece({ piece }: { piece: Inline }) {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'break':
      return <br />;
    case 'code':
      return (
        <code className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-[0.85em] [overflow-wrap:anywhere]">
          {piece.text}
        </code>
      );
    case 'strong':
      return (
        <strong className="font-semibold">
          <InlineText>{piece.children}</InlineText>
        </strong>
      );
    case 'em':
      return (
        <em>
          <InlineText>{piece.children}</InlineText>
        </em>
      );
    case 'link':
      return (
        <DocLink href={piece.href}>
          <InlineText>{piece.children}</InlineText>
        </DocLink>
      );
  }
}

/** A link to an anchor on this page, to another page of the app, or to another site. */
export function DocLink({ href, children }: { href: string; children: React.ReactNode }) {
  if (href.startsWith('/') && !PLAIN.test(href))
    return (
      <Link href={href} prefetch={false} className="link">
        {children}
      </Link>
    );
  const elsewhere = /^https?:/.test(href);
  return (
    <a href={href} className="link" {...(elsewhere ? { rel: 'noreferrer' } : {})}>
      {children}
    </a>
  );
}
