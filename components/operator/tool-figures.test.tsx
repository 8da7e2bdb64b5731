import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { healthColumns } from './tool-figures';

it.each([
  [200, 1, '99.5% succeed'],
  [10, 2, '2 of 10 failed'],
  [0, 0, '—'],
])(
  'the success rate of a tool is of calls with valid input: of %d calls %d failed',
  (calls, failed, text) => {
    const row = {
      calls: calls + 50,
      valid_calls: calls,
      failed,
      revenue_usd: 0,
      p50_ms: null,
      p99_ms: null,
      last_error_at: null,
    };
    const column = healthColumns().find(({ title }) => title === 'Success rate');
    const html = renderToStaticMarkup(createElement('div', null, column?.cell(row)));
    expect(parseHTML(html).document.documentElement.textContent).toBe(text);
  },
);
