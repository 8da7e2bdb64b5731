import { Html, html } from './html';
import { STYLE, STYLE_HASH } from './style';

/** A finished page. `formsTo` are the origins that its forms lead to, besides its own. */
export interface Page {
  title: string;
  body: Html;
  status?: number;
  formsTo?: readonly (string | null)[];
}

/** Every page of the stand-in: nobody may take it for the real thing. */
export function renderPage({ title, body, status = 200, formsTo = [] }: Page): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · pretend payment</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<aside class="notice" aria-label="Pretend payment"><strong>Pretend payment — no money moves.</strong> This is the gateway’s stand-in for Stripe.</aside>
${body}
</body>
</html>
`;
  return new Response(page.text, { status, headers: headersFor(formsTo) });
}

/** After a form: the next page, by GET. */
export function seeOther(address: string): Response {
  return new Response(null, { status: 303, headers: { Location: address, 'Cache-Control': 'no-store' } });
}

function headersFor(formsTo: readonly (string | null)[]): Record<string, string> {
  // Where a form's answer leads on is held against form-action too.
  const origins = formsTo.flatMap((address) =>
    address && URL.canParse(address) ? [new URL(address).origin] : [],
  );
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src ${STYLE_HASH}`,
      `form-action ${["'self'", ...new Set(origins)].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Content-Type': 'text/html; charset=utf-8',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/** A page that only says something. */
export function messagePage(
  title: string,
  text: string,
  link: { href: string; label: string } | null,
  status = 200,
): Response {
  return renderPage({
    title,
    status,
    body: html`<main class="narrow"><div class="card"><h1>${title}</h1><p class="muted">${text}</p>
${link && html`<a class="button" href="${link.href}">${link.label}</a>`}</div></main>`,
  });
}
