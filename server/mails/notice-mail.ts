import type { MailMessage } from '../ports/ports';

/** A mail that tells something, with one place to go. Everything in it may be a stranger's text. */
export interface NoticeMail {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  button: string;
  url: string;
  /** Small, at the end: why one gets it. */
  note: string;
}

/** The mail to one person, as text and as HTML. */
export function noticeMail(
  to: string,
  { subject, heading, paragraphs, button, url, note }: NoticeMail,
): MailMessage {
  const body = paragraphs.map((text) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`).join('\n');
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    text: `${[heading, ...paragraphs, `${button}: ${url}`, note].join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body style="margin:0;padding:32px;background:#f6f6f5;font:16px/1.5 system-ui,sans-serif;color:#1a1a19">
<table role="presentation" width="100%" style="max-width:480px;margin:0 auto;background:#fff;border:1px solid #e4e4e2;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(heading)}</h1>
${body}
<p style="margin:8px 0 24px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:10px 20px;background:#1a1a19;color:#fff;text-decoration:none;border-radius:6px">${escapeHtml(button)}</a></p>
<p style="margin:0;color:#6b6b68;font-size:14px">${escapeHtml(note)}</p>
</td></tr></table></body></html>`,
  };
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
