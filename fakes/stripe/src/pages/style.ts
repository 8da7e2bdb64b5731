import { createHash } from 'node:crypto';

/** Each text color has a contrast of at least 4.5:1, in the light and the dark scheme. */
export const STYLE = `
:root{color-scheme:light dark;
--bg:light-dark(#f7f8fa,#101216);--surface:light-dark(#fff,#181b20);--sunken:light-dark(#eef0f3,#0b0d10);
--line:light-dark(#dfe2e7,#2c3038);--line-strong:light-dark(#8a9099,#6c737e);
--ink:light-dark(#191c22,#eceef2);--muted:light-dark(#565d68,#a6adb8);
--accent:light-dark(#2455c9,#8fb4ff);--accent-soft:light-dark(#e9effc,#1c2740);--on-accent:light-dark(#fff,#0e1526);
--ok:light-dark(#0f6b3f,#6fd6a0);--ok-soft:light-dark(#e3f4ea,#12301f);
--warn:light-dark(#7a4b00,#f0c26a);--warn-soft:light-dark(#fdf1d9,#33270f);
--bad:light-dark(#b3261e,#ff9a91);--bad-soft:light-dark(#fdecea,#3a1a18);
--notice:#ffd23f;--notice-ink:#1c1600}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
h1{font-size:1.375rem;line-height:1.25;margin:0 0 .25rem;letter-spacing:-.01em;text-wrap:balance}
h2{font-size:1rem;line-height:1.3;margin:0 0 .75rem}
p{margin:0 0 .75rem}
form>.row{margin-top:1.25rem}
a{color:var(--accent);text-underline-offset:.15em}
code,.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.875em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.notice{position:sticky;top:0;z-index:1;background:var(--notice);color:var(--notice-ink);padding:.625rem 1rem;text-align:center;font-size:.9375rem;line-height:1.35;border-bottom:3px solid var(--notice-ink)}
.notice strong{font-weight:700}
main{max-width:64rem;margin:0 auto;padding:2rem 1.25rem 4rem}
.narrow{max-width:30rem}
.two{display:grid;gap:2rem}
.card{background:var(--surface);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
.stack>*+*{margin-top:1.5rem}
.muted{color:var(--muted)}
.small{font-size:.875rem}
.total{font-size:2.25rem;font-weight:650;letter-spacing:-.02em;line-height:1.15;margin:0 0 1.5rem}
.lines{list-style:none;margin:0;padding:0}
.lines li{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 0;border-top:1px solid var(--line)}
.lines li:last-child{border-bottom:1px solid var(--line)}
.lines .sum{font-weight:650}
.lines span:last-child{white-space:nowrap}
label,legend{display:block;font-size:.875rem;font-weight:550;margin:0 0 .375rem;padding:0}
input:not([type=radio]):not([type=checkbox]):not([type=hidden]){width:100%;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--line-strong);border-radius:8px;padding:.5625rem .75rem;min-height:2.75rem}
.field{margin:0 0 1rem}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem}
fieldset{border:0;margin:0 0 1.25rem;padding:0}
.choice{display:flex;gap:.625rem;align-items:flex-start;font-weight:400;font-size:.9375rem;margin:0;padding:.5rem 0;cursor:pointer}
.choice input{margin:.25rem 0 0;accent-color:var(--accent);flex:none;width:1rem;height:1rem}
form:has(input[value^=bank]:checked) .by-card{display:none}
button,.button{display:inline-flex;align-items:center;justify-content:center;font:inherit;font-weight:600;border-radius:8px;border:1px solid var(--line-strong);background:var(--surface);color:var(--ink);padding:.5rem 1rem;min-height:2.75rem;cursor:pointer;text-decoration:none}
button:hover,.button:hover{border-color:var(--ink)}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
button.main:hover{filter:brightness(1.08)}
.wide{width:100%}
.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.row form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:0}
.apart{justify-content:space-between}
.brand{text-transform:capitalize;font-weight:550}
.small-button{min-height:2.25rem;padding:.25rem .75rem;font-size:.875rem}
.alert{border-radius:8px;padding:.75rem 1rem;margin-bottom:1.25rem;background:var(--bad-soft);color:var(--bad);border:1px solid currentColor}
.done{border-radius:8px;padding:.75rem 1rem;margin-bottom:1.25rem;background:var(--ok-soft);color:var(--ok);border:1px solid currentColor}
.saved{border-radius:8px;padding:.75rem 1rem;margin-bottom:1.25rem;background:var(--accent-soft);font-size:.9375rem}
.tag{display:inline-block;border-radius:99px;padding:.0625rem .625rem;font-size:.8125rem;font-weight:550;background:var(--sunken);color:var(--muted);white-space:nowrap}
.tag.ok{background:var(--ok-soft);color:var(--ok)}.tag.warn{background:var(--warn-soft);color:var(--warn)}.tag.bad{background:var(--bad-soft);color:var(--bad)}
.tests{list-style:none;margin:0;padding:0}
.tests a{display:flex;flex-wrap:wrap;gap:.125rem .75rem;padding:.5rem 0;text-decoration:none;border-top:1px solid var(--line)}
.tests li:first-child a{border-top:0}
.tests a:hover .mono{text-decoration:underline}
.tests span:last-child{color:var(--muted);font-size:.875rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th{text-align:left;font-weight:550;color:var(--muted);white-space:nowrap}
th,td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.figure,th.figure{text-align:right}
td input.amount:not([type=hidden]){width:6rem;min-height:2.25rem;padding:.25rem .5rem}
.break{overflow-wrap:anywhere}
.gone{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (min-width:56rem){
.two{grid-template-columns:5fr 6fr;gap:4rem;align-items:start}
.checkout{grid-template:"order form" auto "tests form" 1fr/5fr 6fr;gap:2.5rem 4rem}
.checkout>.order{grid-area:order}.checkout>.form{grid-area:form}.checkout>.tests-area{grid-area:tests}
main{padding-top:3rem}td:first-child{white-space:nowrap}
}
@media (max-width:43.99rem){
table,tbody{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.75rem 0;border-bottom:1px solid var(--line)}
td{display:block;padding:0;border:0}td:first-child{width:100%;color:var(--muted)}td:nth-child(2){width:100%}
}
`;

/** Its hash for the Content-Security-Policy, which allows no other style and no script. */
export const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
