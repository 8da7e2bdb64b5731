// Unpacks the browser from npm into TMPDIR; started by browser.ts.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const packed = fileURLToPath(new URL('../bin', import.meta.resolve('@sparticuz/chromium')));
mkdirSync(tmpdir(), { recursive: true });
const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'];
await Promise.all(archives.map((name) => inflate(join(packed, name))));
