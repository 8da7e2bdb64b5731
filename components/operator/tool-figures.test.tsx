import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { healthColumns } from './tool-figures';

it.each([
  [200, 1, '0.5% tool failures'],
  [10, 2, '2 of 10 tool failures'],
  [0, 0, '—'],
])('the failures of a tool are those it caused itself: of %d calls %d', (calls, failed, text) => {
  const row = { calls, failed, revenue_usd: 0, p50_ms: null, p99_ms: null, last_error_at: null };
  const column = healthColumns().find(({ title }) => title === 'Tool failures');
  const html = renderToStaticMarkup(createElement('div', null, column?.cell(row)));
  expect(parseHTML(html).document.documentElement.textContent).toBe(text);
});
