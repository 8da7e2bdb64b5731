import { cleanLine } from '../../kit/clean-text';
import { type EmailMessage, LOGO_CID } from '../ports/ports';
import type { BrandSettings } from '../settings/brand-settings';

/** What every email shows of the gateway's brand. */
export type EmailBrand = Pick<BrandSettings, 'name' | 'color'>;

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

const MAX_LINE_CHARS = 300;

/** Dark colours for email programs with a dark mode. Inline styles need !important to change. */
const DARK_STYLES = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0d0f12!important;color:#f2f3f5!important}
.card{background:#16191e!important;border-color:#2b3038!important}
.head,.text{color:#f2f3f5!important}
.small{color:#a5abb5!important}
.link{color:#a5abb5!important}
}`;

const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Renders the email as text and as HTML, with the same content in both. */
export function renderLinkEmail(email: LinkEmail, brand: EmailBrand): EmailMessage {
  const { to, subject, heading, body = [], button, url, note } = email;
  return {
    to,
    subject,
    text: `${[heading, ...body, `${button}:\n${url}`, note, brand.name].join('\n\n')}\n`,
    html: renderHtml(email, brand),
  };
}

function renderHtml(
  { subject, heading, body = [], button, url, note }: LinkEmail,
  brand: EmailBrand,
): string {
  const name = escapeHtml(brand.name);
  const paragraphs = body.map(
    (text) => `<p class="text" style="margin:0 0 16px;color:#14171c">${escapeHtml(text)}</p>\n`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${DARK_STYLES}</style></head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6;color:#14171c;font:16px/1.5 ${FONT}">
${renderPreview(body[0] ?? note)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:520px">
<tr><td style="padding:0 0 20px"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td style="padding:4px;background:#ffffff;border-radius:8px;line-height:0"><img src="cid:${LOGO_CID}" alt="" height="32" style="display:block;height:32px;width:auto;border:0"></td>
<td class="head" style="padding:0 0 0 12px;font:600 17px/1.3 ${FONT};color:#14171c">${name}</td>
</tr></table></td></tr>
<tr><td class="card" style="padding:32px;background:#ffffff;border:1px solid #e2e5ea;border-radius:12px;font:16px/1.5 ${FONT}">
<h1 class="head" style="margin:0 0 16px;font:600 21px/1.3 ${FONT};color:#14171c">${escapeHtml(heading)}</h1>
${paragraphs.join('')}${renderButton(button, url, brand.color)}
<p class="small" style="margin:0 0 4px;color:#5b6270;font-size:14px">If the button does not work, open this address:</p>
<p style="margin:0 0 24px;font-size:14px;word-break:break-all"><a class="link" href="${escapeHtml(url)}" style="color:#5b6270">${escapeHtml(url)}</a></p>
<p class="small" style="margin:0;color:#5b6270;font-size:14px">${escapeHtml(note)}</p>
</td></tr></table></td></tr></table>
</body></html>`;
}

/** The line that inboxes show after the subject; the blanks keep the rest out of it. */
function renderPreview(text: string): string {
  const blanks = '&#8199;&#65279;&#847; '.repeat(60);
  return `<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(text)}${blanks}</div>`;
}

function renderButton(label: string, url: string, color: string): string {
  const style = `display:inline-block;padding:11px 22px;color:${chooseTextColor(color)};font:600 16px/1.4 ${FONT};text-decoration:none;border-radius:8px`;
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0"><tr><td style="background:${color};border-radius:8px"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></td></tr></table>`;
}

/** Black or white, by which contrasts more with the colour (WCAG 2, relative luminance). */
function chooseTextColor(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}

/**
 * Names are user text: keeps them from breaking lines, reversing or hiding other text, and adding
 * links. Email programs also link a bare `example.com`; that of an email address stays.
 */
export function toSafeLine(text: string): string {
  return cleanLine(text, MAX_LINE_CHARS)
    .replaceAll('://', ' ')
    .replace(/(?<!\S@\S*)\.(?=\p{L})/gu, '. ');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
