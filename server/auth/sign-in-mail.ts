import type { MailMessage } from '../ports/ports';

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The mail with the link that signs one in. */
export function signInMail(to: string, url: string): MailMessage {
  const { host } = new URL(url);
  const safeUrl = escapeHtml(url);
  return {
    to,
    subject: `Sign in to ${host}`,
    text: `Sign in to ${host}\n\n${url}\n\nThe link works once, for 24 hours. If you did not ask for it, ignore this mail.\n`,
    html: `<!doctype html><html lang="en"><body style="margin:0;padding:32px;background:#f6f6f5;font:16px/1.5 system-ui,sans-serif;color:#1a1a19">
<table role="presentation" width="100%" style="max-width:480px;margin:0 auto;background:#fff;border:1px solid #e4e4e2;border-radius:8px"><tr><td style="padding:32px">
<h1 style="margin:0 0 16px;font-size:20px">Sign in to ${escapeHtml(host)}</h1>
<p style="margin:0 0 24px"><a href="${safeUrl}" style="display:inline-block;padding:10px 20px;background:#1a1a19;color:#fff;text-decoration:none;border-radius:6px">Sign in</a></p>
<p style="margin:0;color:#6b6b68;font-size:14px">The link works once, for 24 hours. If you did not ask for it, ignore this mail.</p>
</td></tr></table></body></html>`,
  };
}
