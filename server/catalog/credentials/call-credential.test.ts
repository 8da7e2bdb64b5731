import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { createLogger } from '../../kit/log';
import { CallCredential } from './call-credential';

const KEY = 'sk-test-secret-"quoted\\"-0123';
const credential = new CallCredential('openai', 'header', KEY);
const asJson = JSON.stringify(KEY).slice(1, -1);

it('a credential does not reveal its key when printed, logged, copied or serialized', () => {
  const lines: string[] = [];
  createLogger((line) => lines.push(line)).error('failed', { credential, call: { credential } });
  const copy = { ...credential };
  const shown = [
    JSON.stringify({ credential }),
    inspect({ credential }, { showHidden: true, depth: 9, getters: true }),
    format('%o %O %j %s', credential, credential, credential, credential),
    JSON.stringify(copy),
    ...lines,
  ].join('\n');
  expect(shown).toContain('openai');
  expect(shown).not.toContain('sk-test-secret');
  expect(credential.reveal()).toBe(KEY);
});

it('a credential redacts its key in texts, and in JSON, where it may be escaped', () => {
  expect(credential.redact(`a ${KEY} b ${KEY}`)).toBe('a [provider key] b [provider key]');
  expect(JSON.parse(credential.redactJson(JSON.stringify({ a: [`x${KEY}`] })))).toEqual({
    a: ['x[provider key]'],
  });
  expect(credential.redact('nothing')).toBe('nothing');
  expect(asJson).not.toBe(KEY);
});

it('a credential redacts the start of its key at the end of a truncated text', () => {
  for (let chars = 8; chars < KEY.length; chars++)
    expect(credential.redact(`Refused: ${KEY.slice(0, chars)}`)).toBe('Refused: [provider key]');
  expect(credential.redact('Refused: sk-test')).toBe('Refused: sk-test');
});
