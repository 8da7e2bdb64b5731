import type { EmailMessage } from '../ports/ports';

/** An email with one action. Everything in it except the URL may be untrusted text. */
export interface LinkEmail {
  to: string;
  subject: string;
  heading: string;
  /** The paragraphs between heading and button. */
  body?: readonly string[];
  button: string;
  url: string;
  /** Small, at the end: how long the link works, and what to do if it was not requested. */
  note: string;
}

/** Renders the email as text and as HTML. */
export function renderLinkEmail({
  to,
  subject,
  heading,
  body = [],
  button,
  url,
  note,
}: LinkEmail): EmailMessage {
  const paragraphs = body.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>\n`);
  return {
    to,
    subject,
    text: `${[heading, ...body, url, note].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="margin:0;padding:32px;background:#f6f6f5;font:16px/1.5 system-ui,sans-serif;color:#1a1a19">
<table role="presentation" width="100%" style="max-width:480px;margin:0 auto;background:#fff;border:1px solid #e4e4e2;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(heading)}</h1>
${paragraphs.join('')}<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;background:#1a1a19;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(button)}</a></p>
<p style="margin:0;color:#6b6b68;font-size:14px">${escapeHtml(note)}</p>
</td></tr></table></body></html>`,
  };
}

/** Names are user text: keeps them from breaking lines, adding links or reversing other text. */
export function toSafeLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replaceAll('://', ' ')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
