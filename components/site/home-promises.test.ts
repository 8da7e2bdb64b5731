import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { HowItWorks } from './how-it-works';
import { PriceWords } from './price-words';
import { describeSignUpRule } from './sign-up-words';

const words = (provisioning: boolean, signUpRule: string | null) =>
  [
    renderToStaticMarkup(createElement(PriceWords, { tools: [], provisioning })),
    renderToStaticMarkup(createElement(HowItWorks, { provisioning, signUpRule })),
  ].join('\n');

it('promises a call without an account only where keys are issued without sign-up', () => {
  expect(words(true, null)).toContain('with or without an account');
  expect(words(true, null)).toContain('/v1/auth/provision');
  expect(words(false, null)).not.toMatch(/without an account|provision/);
});

it('says at the step in which a person signs in who may sign up', () => {
  const invited = describeSignUpRule({ policy: 'invite', domains: [] });
  for (const provisioning of [true, false])
    expect(words(provisioning, invited).match(/New accounts need an invitation\./g)).toHaveLength(1);
  expect(describeSignUpRule({ policy: 'open', domains: [] })).toBeNull();
  expect(describeSignUpRule({ policy: 'domains', domains: ['a.test', 'b.test'] })).toBe(
    'New accounts need an address at a.test or b.test, or an invitation.',
  );
});
