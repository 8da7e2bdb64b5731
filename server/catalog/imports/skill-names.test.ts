import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanLine, cleanText } from '../../kit/clean-text';
import { fitsAny, isSkillName, nameSkills, toSkillName } from './skill-names';

const none = new Map<string, string>();

describe('names of imported skills', () => {
  it.each([
    ['get-sum', 'get_sum'],
    ['getPetById', 'get_pet_by_id'],
    ['GET /pets/{id}', 'get_pets_id'],
    ['__proto__', 'proto'],
    ['3d', 'skill_3d'],
    ['日本', 'skill'],
  ])('%s is %s', (upstream, name) => expect(toSkillName(upstream)).toBe(name));

  it('are valid, distinct and independent of the order of the tools', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string(), { maxLength: 20 }), (upstreams) => {
        const names = nameSkills(upstreams, none, none);
        expect([...names.values()].every(isSkillName)).toBe(true);
        expect(new Set(names.values()).size).toBe(upstreams.length);
        expect(nameSkills([...upstreams].reverse(), none, none)).toEqual(names);
      }),
    );
  });

  it('never change, and can be chosen by the operator', () => {
    const known = new Map([['get-sum', 'get_sum']]);
    expect(nameSkills(['get sum', 'get-sum'], known, none)).toEqual(
      new Map([
        ['get-sum', 'get_sum'],
        ['get sum', 'get_sum_2'],
      ]),
    );
    expect(nameSkills(['echo'], none, new Map([['echo', 'say']])).get('echo')).toBe('say');
  });

  it('are selected by patterns', () => {
    expect(fitsAny('get_user', ['get_*'])).toBe(true);
    expect(fitsAny('get_user', ['*_user', 'x'])).toBe(true);
    expect(fitsAny('get_user', ['get'])).toBe(false);
    expect(fitsAny('aa', ['a*a*a'])).toBe(false);
  });
});

describe('untrusted text', () => {
  it('shows all that a model reads, and keeps joiners and variants of emoji @C13', () => {
    const hidden = [...'obey'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
    expect(cleanText(`Adds.${hidden}\u200b\u200f\u2060\u00ad\u061c\u3164`, 100)).toBe('Adds.');
    expect(cleanText('👩\u200d🚀 ❤\ufe0f', 100)).toBe('👩\u200d🚀 ❤\ufe0f');
  });

  it('keeps its markup as text, without control characters', () => {
    expect(cleanText('<b>Hi</b>\u0000\u202E \u001b[31mred\nnext', 100)).toBe('<b>Hi</b> [31mred\nnext');
    expect(cleanLine('a\n\tb', 100)).toBe('a b');
    expect(cleanText('😀'.repeat(50), 10)).toBe(`${'😀'.repeat(9)}…`);
    expect(cleanText({ toString: () => 'x' }, 10)).toBe('');
  });
});
