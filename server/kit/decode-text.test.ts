import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.mjs';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const decode = async (text: string, contentType?: string, options?: { cut?: boolean }) =>
  await decodeText(latin1(text), contentType, options);

describe('decodeText', () => {
  it.each([
    ['text/html; charset=iso-8859-1', '\x80\x93', '€“', 'windows-1252'],
    ['text/plain;charset="GBK"', '\xc4\xe3', '你', 'gbk'],
    ["text/csv; header=present; Charset='koi8-r'", '\xc4', 'д', 'koi8-r'],
    ['text/html, text/html; charset=shift_jis', '\x83\x65', 'テ', 'shift_jis'],
    ['text/html; charset=latin1', '\xef\xbb\xbf\xc3\xa9', 'é', 'utf-8'],
    ['text/html; charset=latin1', '\xff\xfeA\0', 'A', 'utf-16le'],
    ['text/html; charset=utf-8', '<meta charset=gbk>\xc3\xa9', '<meta charset=gbk>é', 'utf-8'],
    ['text/plain; charset=hz-gb-2312', '~{VPND~}', '\ufffd', 'replacement'],
  ])('takes the byte order mark, then the header %s', async (contentType, body, text, charset) =>
    expect(await decode(body, contentType)).toEqual({ text, charset }),
  );

  it.each([
    ['<meta charset=windows-1250>', 'windows-1250'],
    ["<META name=x CHARSET='GB2312'/>", 'gbk'],
    ['<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">', 'iso-8859-2'],
    [`<meta content=';charset = "koi8-r"' http-equiv=content-type>`, 'koi8-r'],
    ['<meta charset=unknown><meta charset=big5>', 'big5'],
    ['<meta charset=unknown http-equiv=content-type content=charset=big5>', 'big5'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    ['<meta charset=utf-16>', 'utf-8'],
    ['<!doctype html><html><head><title>t</title><meta charset=big5>', 'big5'],
    [`<head><!-- ${'x'.repeat(3_000)} --><meta charset=big5>`, 'big5'],
    [`<head><style>${'x'.repeat(100_000)}</style><meta charset=big5>`, 'big5'],
    ['<p>text<meta charset=big5>', 'big5'],
    ['<?xml version="1.0" encoding="iso-8859-2"?><html>', 'iso-8859-2'],
    ['<?xml version="1.0" encoding="iso-8859-2"?><meta charset=big5>', 'big5'],
    ['<!--><meta charset=big5>-->', 'big5'],
  ])('finds the declaration of HTML as browsers do: %s', async (html, charset) => {
    for (const contentType of ['text/html', 'text/html; charset=nonsense', ''])
      expect((await decode(html, contentType)).charset).toBe(charset);
  });

  it.each([
    '<script charset=big5 src=x></script>',
    '<link rel=stylesheet charset=big5>',
    '<a charset=big5>',
    '<!-- <meta charset=big5> -->',
    "<script>'<meta charset=big5>'</script>",
    '<style><meta charset=big5></style>',
    '<title><meta charset=big5></title>',
    '<textarea><meta charset=big5></textarea>',
    '<meta name=description content="charset=big5">',
    '<meta http-equiv=content-type content=charset>',
    '<metadata charset=big5>',
    `<body>${' '.repeat(2_000)}<meta charset=big5>`,
    '&lt;meta charset=big5&gt;',
    ' <?xml version="1.0" encoding="big5"?>',
  ])('takes nothing else for a declaration: %s', async (html) => {
    expect((await decode(`${html}\xe9`, 'text/html')).charset).toBe('windows-1252');
    expect((await decode(`${html}\xc3\xa9`, 'text/html')).charset).toBe('utf-8');
  });

  it.each([
    ['application/xml', '<?xml version="1.0" encoding="ISO-8859-2"?>', 'iso-8859-2'],
    ['application/rss+xml', "<?xml version='1.0' encoding='windows-1251' ?>", 'windows-1251'],
    ['application/xhtml+xml', '<?xml version="1.0" encoding="euc-jp"?><html>', 'euc-jp'],
    ['text/xml', '<?xml version="1.0" encoding="UTF-16"?>', 'utf-8'],
    ['text/xml', '<\0?\0x\0m\0l\0', 'utf-16le'],
    ['text/xml', '\0<\0?\0x\0m\0l', 'utf-16be'],
    ['text/xml; charset=koi8-r', '<?xml version="1.0" encoding="euc-jp"?>', 'koi8-r'],
    ['application/xhtml+xml', '<html><meta charset="big5"/>', 'utf-8'],
    ['text/plain', '<?xml version="1.0" encoding="euc-jp"?><meta charset=big5>', 'utf-8'],
  ])('reads the declaration of XML only in XML: %s %s', async (contentType, text, charset) =>
    expect((await decode(text, contentType)).charset).toBe(charset),
  );

  it('keeps JSON that is valid UTF-8, and else takes the charset of the header', async () => {
    const type = 'application/problem+json; charset=iso-8859-2';
    expect(await decode('"\xc3\xa9"', type)).toEqual({ text: '"é"', charset: 'utf-8' });
    expect(await decode('"\xb1"', type)).toEqual({ text: '"ą"', charset: 'iso-8859-2' });
  });

  it('takes the beginning of a text for UTF-8, and leaves out a character that is cut', async () => {
    expect(await decode('caf\xc3', 'text/plain', { cut: true })).toEqual({ text: 'caf', charset: 'utf-8' });
    expect(await decode('caf\xc3', 'text/plain')).toEqual({ text: 'cafÃ', charset: 'windows-1252' });
    expect(await decode('\xe9caf', 'text/plain', { cut: true })).toEqual({
      text: 'écaf',
      charset: 'windows-1252',
    });
  });

  it('joins the characters of a long text', async () => {
    const text = `a${'你'.repeat(200_000)}`;
    const gbk = latin1(`a${'\xc4\xe3'.repeat(200_000)}`);
    expect((await decodeText(gbk, 'text/plain; charset=gbk')).text === text).toBe(true);
    expect((await decodeText(Buffer.from(text))).text === text).toBe(true);
  });
});
