import { describe, expect, it } from 'vitest';
import { type FlagDefinition, type OperandDefinition, parseFlags } from './arguments';

const FLAGS: Record<string, FlagDefinition> = {
  amount: { value: 'USD', about: 'the amount' },
  name: { value: 'NAME', about: 'a name', many: true },
  json: { about: 'print JSON' },
};
const ID: OperandDefinition = { name: 'id', about: 'its id', required: true };

const parse = (...args: string[]) => parseFlags(args, FLAGS);

describe('parseFlags', () => {
  it('reads values after a space or =, switches and repeated flags', () => {
    const flags = parse('--amount', '-5e-3', '--name=--a=b', '--json', '--name', 'c');
    expect([flags.text('amount'), flags.all('name'), flags.has('json')]).toEqual([
      '-5e-3',
      ['--a=b', 'c'],
      true,
    ]);
  });

  it('reads positional arguments before, between and after flags', () => {
    const flags = parseFlags(['--json', 'one'], FLAGS, [ID]);
    expect([flags.required('id'), flags.has('json')]).toEqual(['one', true]);
    expect(() => parseFlags(['--json'], FLAGS, [ID])).toThrow('Missing: ID (its id).');
  });

  it.each([
    [['--nope'], '--nope is unknown. This command takes: --amount, --name, --json.'],
    [['--nope=1'], '--nope=1 is unknown.'],
    [['--no-json'], '--no-json is unknown.'],
    [['--toString'], '--toString is unknown.'],
    [['-abc'], '-abc is unknown.'],
    [['-'], '- is unknown.'],
    [['--', '--json'], '-- is unknown.'],
    [['word'], 'word is unknown.'],
    [['--amount', '1', '--amount=2'], '--amount is given twice: give it once.'],
    [['--json', '--json'], '--json is given twice: give it once.'],
    [['--json=1'], '--json takes no value.'],
    [['--amount'], '--amount needs a value: --amount USD.'],
    [['--amount', '--json'], '--amount needs a value: --amount USD.'],
  ])('refuses %j', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });

  it('names the required flags that are missing', () => {
    const flags = { team: { value: 'SLUG', about: 'the team', required: true } };
    expect(() => parseFlags([], flags)).toThrow('Missing: --team SLUG (the team).');
  });
});
