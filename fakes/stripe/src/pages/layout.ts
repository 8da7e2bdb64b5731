import { Html, html } from './html';
import { STYLE, STYLE_HASH } from './style';

/**
 * `formsTo`: URLs of other origins to which its forms redirect, for the Content-Security-Policy.
 */
interface Page {
  title: string;
  body: Html;
  status?: number;
  formsTo?: readonly (string | null)[];
}

/** Renders a page with a notice that it is a fake. */
export function renderPage({ title, body, status = 200, formsTo = [] }: Page): Response {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Test mode</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<aside class="notice" aria-label="Test mode"><strong>Test mode: no money moves.</strong> This is a fake Stripe.</aside>
${body}
</body>
</html>
`;
  return new Response(page.text, { status, headers: buildHeaders(formsTo) });
}

/** The response to a form: the browser gets this URL next. */
export function redirect(url: string): Response {
  return new Response(null, { status: 303, headers: { Location: url, 'Cache-Control': 'no-store' } });
}

function buildHeaders(formsTo: readonly (string | null)[]): Record<string, string> {
  // Browsers apply form-action to redirects after a form too.
  const origins = formsTo.flatMap((url) => (url && URL.canParse(url) ? [new URL(url).origin] : []));
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

/** Renders a page with a message and one link. */
export function renderMessage(
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
