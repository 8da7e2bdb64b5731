import { describe, expect, it } from 'vitest';
import { parseForm } from './form';

describe('parseForm', () => {
  it('parses the nesting of Stripe’s SDK', () => {
    const params = parseForm(
      'a=1&b[c]=2&lines[0][price][amount]=3&lines[1][price][amount]=4&expand[]=x&expand[]=y&metadata[k]=v&metadata[k2]=',
    );
    expect(params.integer('a')).toBe(1);
    expect(params.nested('b').text('c')).toBe('2');
    expect(params.children('lines').map((line) => line.nested('price').integer('amount'))).toEqual([3, 4]);
    expect(params.list('expand')).toEqual(['x', 'y']);
    expect(params.merged('metadata', { k: 'old', k2: 'old', k3: 'old' })).toEqual({ k: 'v', k3: 'old' });
    expect(parseForm('metadata=').merged('metadata', { k: 'old' })).toEqual({});
  });

  it('treats names of object properties as ordinary names', () => {
    const params = parseForm('__proto__[polluted]=1&constructor=2&metadata[__proto__]=x');
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(params.nested('__proto__').text('polluted')).toBe('1');
    expect(parseForm('a=1').has('toString')).toBe(false);
  });

  it.each([
    ['a[b', 'Invalid parameter name'],
    ['a[b]c=1', 'Invalid parameter name'],
    ['a=%00', 'null byte'],
    ['a[b][c][d][e][f][g]=1', 'Too deeply'],
  ])('rejects %s', (text, message) => {
    expect(() => parseForm(text)).toThrow(message);
  });

  it('names the invalid parameter in the error', () => {
    const params = parseForm('n=1.5&flag=yes&tree[x]=1');
    expect(() => params.integer('n')).toThrow('Invalid integer: 1.5');
    expect(() => params.boolean('flag')).toThrow('Invalid boolean: yes');
    expect(() => params.text('tree')).toThrow('Invalid string: tree');
    expect(() => params.nested('tree').required('y')).toThrow('Missing required param: tree[y].');
  });
});
