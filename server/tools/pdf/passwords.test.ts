import {
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFString,
  type SecurityOptions,
} from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { listPasswordForms } from './passwords.mjs';

const files = await createFilesForTests();

const encrypted = new Map<string, Promise<string>>();

/** Returns a document with these passwords; each is made once, because deriving keys is slow. */
function addEncrypted(options: SecurityOptions): Promise<string> {
  const name = JSON.stringify(options);
  const file = encrypted.get(name) ?? makeEncrypted(options);
  encrypted.set(name, file);
  return file;
}

async function makeEncrypted(options: SecurityOptions): Promise<string> {
  const document = await PDFDocument.create();
  document.addPage([200, 100]).drawText('inside', { x: 10, y: 50, size: 12 });
  document.encrypt(options);
  return await files.add('locked.pdf', await document.save());
}

const SKILLS = ['extract_text', 'merge', 'split', 'render_pages'] as const;

async function open(skill: string, file: string, password?: string) {
  const source = { file, ...(password !== undefined && { password }) };
  const input = skill === 'merge' ? { files: [source, { file: 'asset_sample_report' }] } : source;
  return (await runSkill(tool, skill, input, { files })).output;
}

/** The bytes of PDFDocEncoding for `naïve–€`, as the characters that pdf-lib writes. */
const PDF_DOC_PASSWORD = 'na\u00efve\u0085\u00a0';

describe('the forms of a password', () => {
  it.each(['Zoë 1', 'Zoe\u0308 1', 'Zoë\u00a01', 'Zo\u00adë 1', 'Zoë ①'])(
    'begin with the prepared one, however its characters are composed: %j',
    (password) => expect(listPasswordForms(password)[0]).toBe('Zoë 1'),
  );

  it.each(['naïve–€', 'nai\u0308ve–€'])('include the encoding of older documents: %j', (password) =>
    expect(listPasswordForms(password)).toContain(PDF_DOC_PASSWORD),
  );
});

describe.each(SKILLS)('%s', (skill) => {
  it.each(['AES-256', 'AES-128', 'RC4-128', 'RC4-40'] as const)(
    'opens a document with only an owner password without it, and with it: %s',
    async (algorithm) => {
      const file = await addEncrypted({ ownerPassword: 'owner', algorithm, allowWeakCryptography: true });
      expect(await open(skill, file)).toBeTypeOf('object');
      expect(await open(skill, file, 'owner')).toBeTypeOf('object');
    },
  );

  it('prepares a password, and refuses a wrong one and none', async () => {
    const file = await addEncrypted({ userPassword: 'Zoë 1' });
    expect(await open(skill, file, 'Zo\u00ade\u0308\u00a0①')).toBeTypeOf('object');
    await expect(open(skill, file, 'Zoe 1')).rejects.toThrow(/password: wrong password for this PDF/);
    await expect(open(skill, file)).rejects.toThrow(/file: the PDF is encrypted. Pass its password/);
  });

  it('encodes the password of an older document, and refuses a wrong one', async () => {
    const userPassword = PDF_DOC_PASSWORD;
    const file = await addEncrypted({ userPassword, algorithm: 'RC4-128', allowWeakCryptography: true });
    expect(await open(skill, file, 'nai\u0308ve–€')).toBeTypeOf('object');
    await expect(open(skill, file, 'naive')).rejects.toThrow(/password: wrong password for this PDF/);
  });

  it('still opens a document whose password was not prepared', async () => {
    const file = await addEncrypted({ userPassword: 'ﬁne e\u0301' });
    expect(await open(skill, file, 'ﬁne e\u0301')).toBeTypeOf('object');
  });
});

it('merge keeps literal strings of an encrypted document', async () => {
  const note = 'C:\\new) and (open';
  const literal = (text: string) => `(${text.replace(/[\\()]/g, '\\$&').replaceAll('\r', '\\r')})`;
  const readNote = (document: PDFDocument) => {
    const [found] = document.getPage(0).node.Annots()?.asArray() ?? [];
    return document.context.lookup(found, PDFDict).lookup(PDFName.of('Contents'), PDFString, PDFHexString);
  };
  const document = await PDFDocument.create();
  const annotation = {
    Type: 'Annot',
    Subtype: 'Text',
    Rect: [0, 0, 9, 9],
    Contents: PDFHexString.fromText(note),
  };
  const page = document.addPage([200, 100]);
  page.node.set(PDFName.of('Annots'), document.context.obj([document.context.obj(annotation)]));
  document.encrypt({ ownerPassword: 'owner', algorithm: 'RC4-40', allowWeakCryptography: true });
  const plain = Buffer.from(await document.save({ useObjectStreams: false })).toString('latin1');
  // pdf-lib leaves strings as they are; reading one applies RC4, which encrypts as it decrypts.
  const read = await PDFDocument.load(Buffer.from(plain, 'latin1'), { password: '' });
  const secret = Buffer.from(readNote(read).asBytes()).toString('latin1');
  const file = plain.replace(/(?<=\/Contents )<[0-9a-fA-F]+>/, () => literal(secret));
  const asset = await files.add('literal.pdf', Buffer.from(file, 'latin1'));
  const merged = (await open('merge', asset)).asset.asset_id;
  const copy = await PDFDocument.load(await files.readBytes(merged));
  expect(readNote(copy).decodeText()).toBe(note);
});
