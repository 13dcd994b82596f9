import { describe, expect, test } from 'vitest';
import { reading, refusal } from '../reading.ts';

const text = 'name,town\nZoë 🌟,Århus\n김민수,서울\n';
const utf16 = (swap: boolean, from = text) => {
  const bytes = Buffer.from(from, 'utf16le');
  return swap ? bytes.swap16() : bytes;
};
const utf32 = (big: boolean, from = text) =>
  Buffer.concat(
    [...from].map((character) => {
      const bytes = Buffer.alloc(4);
      if (big) bytes.writeUInt32BE(character.codePointAt(0) ?? 0);
      else bytes.writeUInt32LE(character.codePointAt(0) ?? 0);
      return bytes;
    }),
  );
const marked = (mark: readonly number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);
const cells = [
  ['Zoë 🌟', 'Århus'],
  ['김민수', '서울'],
];

describe('the byte order mark tells the encoding and is no part of the first column', () => {
  test.each([
    ['UTF-8', marked([0xef, 0xbb, 0xbf], Buffer.from(text))],
    ['UTF-16 LE', marked([0xff, 0xfe], utf16(false))],
    ['UTF-16 BE', marked([0xfe, 0xff], utf16(true))],
    ['UTF-32 LE, which begins like UTF-16 LE', marked([0xff, 0xfe, 0, 0], utf32(false))],
    ['UTF-32 BE', marked([0, 0, 0xfe, 0xff], utf32(true))],
    ['UTF-32 BE behind a mark of UTF-16', marked([0xfe, 0xff], utf32(true))],
    ['UTF-32 LE behind a mark of UTF-16', marked([0xfe, 0xff], utf32(false))],
  ])('%s', async (_, bytes) => {
    const found = await reading(bytes);
    expect(found.facts.columns).toEqual(['name', 'town']);
    expect(found.cells).toEqual(cells);
  });
});

describe('without a mark', () => {
  test('UTF-8 is taken where the file holds it, without a word', async () => {
    const found = await reading(text);
    expect(found.cells).toEqual(cells);
    expect(found.facts.notes).toEqual([]);
  });

  test.each([
    ['UTF-16 LE', utf16(false, 'name,town\nZoë,Århus\n')],
    ['UTF-16 BE', utf16(true, 'name,town\nZoë,Århus\n')],
  ])('%s shows by its NULs, and is said', async (_, bytes) => {
    const found = await reading(bytes);
    expect(found.cells).toEqual([['Zoë', 'Århus']]);
    expect(found.facts.notes.join()).toContain('guessed');
  });

  test.each([
    ['windows-1252', 'name\nHélène\nFrançois\nMüller € 5\n'],
    ['windows-1251', 'имя\nИван Петров\nОльга\n«МТС»\n'],
    ['windows-1250', 'jméno\nJiří Dvořák\nŽaneta Kučerová\n'],
  ])('%s is guessed over the file, and the guess is said', async (encoding, given) => {
    const clean = 'a line of plain letters\n'.repeat(20_000);
    const found = await reading(
      Buffer.concat([Buffer.from('x\n'), Buffer.from(clean), singleByte(encoding, given)]),
    );
    expect(found.cells.slice(-2).map(([cell]) => cell)).toEqual(given.trim().split('\n').slice(-2));
    expect(found.facts.notes.join()).toContain(`guessed: ${encoding}`);
  });

  test.each([
    ['Jörg', 'Über'],
    ['Zoë', 'Åström'],
    ['José', 'Núñez'],
    ['Björn', 'Größe'],
    ['André', 'Lefèvre'],
    ['Ülkü', 'Çelik'],
  ])(
    'a few names of Western Europe among many plain cells are not taken for Chinese: %s %s',
    async (first, last) => {
      const plain = Array.from({ length: 60 }, (_, n) => `"${n % 7 === 0 ? 'plain' : ''}"`).join(',');
      const line = `"${first}","","${last}",${plain}\r\n`;
      const found = await reading(Buffer.from(line.repeat(3), 'latin1'), { header: false });
      expect(found.cells[0]?.slice(0, 3)).toEqual([first, '', last]);
    },
  );

  test.each([
    ['Italian', ['Niccolò', 'è interessato', 'Forlì', 'perché è là']],
    ['Italian, with its è alone', ['è qui', 'è interessato', 'Rossi', 'è là']],
    ['French', ['à Orléans', 'déjà vu', 'là', 'à revoir']],
    ['Portuguese', ['é cliente', 'São João', 'à noite', 'avó']],
    ['Spanish', ['José ó Inés', 'mañana', 'está aquí', 'ó no']],
  ])('%s, with words that end in an accent, is not taken for Cyrillic or Greek', async (_language, lines) => {
    const text = ['name', ...Array.from({ length: 10 }, () => lines).flat(), ''].join('\n');
    const found = await reading(Buffer.from(text, 'latin1'));
    expect(found.cells.slice(0, lines.length)).toEqual(lines.map((line) => [line]));
  });

  test.each([
    ['big5', [0xa4, 0xe9, 0xa5, 0xbb, 0xa4, 0xa4, 0xb0, 0xea, 0xa4, 0x48, 0xa6, 0x57]],
    ['shift_jis', [0x93, 0xfa, 0x96, 0x7b, 0x92, 0x86, 0x8d, 0x91, 0x90, 0x6c, 0x96, 0xbc]],
    ['gbk', [0xd6, 0xd0, 0xb9, 0xfa, 0xc8, 0xcb, 0xc3, 0xfb]],
  ])('and %s is still what it is', async (encoding, bytes) => {
    const line = [...bytes, 0x0a];
    const found = await reading(Buffer.from([0x6e, 0x0a, ...Array.from({ length: 12 }, () => line).flat()]));
    expect(found.cells[0]).toEqual([new TextDecoder(encoding).decode(Uint8Array.from(bytes))]);
  });

  test.each([
    [
      'ibm850, German',
      ['Jörg Müller', 'Bärbel Weiß', 'Götz Öztürk', 'Möwenweg'],
      '4a947267204d816c6c65720a42847262656c20576569e10a4794747a20997a7481726b0a4d9477656e776567',
    ],
    [
      'ibm850, French',
      ['Hélène Lefèvre', 'François Brûlé', 'Château-Thierry', 'Zoë Noël'],
      '48826c8a6e65204c65668a7672650a4672616e876f6973204272966c820a436883746561752d546869657272790a5a6f89204e6f896c',
    ],
    [
      'ibm852, Czech',
      ['Jiří Dvořák', 'Božena Němcová', 'Kateřina Řezníčková', 'Tomáš Šťastný'],
      '4a69fda12044766ffda06b0a426fa7656e61204ed86d636f76a00a4b617465fd696e6120fc657a6ea19f6b6f76a00a546f6da0e720e69c6173746eec',
    ],
    [
      'ibm852, Polish',
      ['Łukasz Wójcik', 'Małgorzata Żółć', 'Świętosława Źrebiec', 'Paweł Kęs'],
      '9d756b61737a2057a26a63696b0a4d6188676f727a61746120bda288860a977769a9746f7388617761208d7265626965630a5061776588204ba973',
    ],
    [
      'macintosh',
      ['Jörg Müller', 'Bärbel Weiß', 'Hélène Lefèvre', 'François Brûlé'],
      '4a9a7267204d9f6c6c65720a428a7262656c20576569a70a488e6c8f6e65204c65668f7672650a4672616e8d6f69732042729e6c8e',
    ],
  ])('the names of a code page of DOS, or of an old Mac, are read: %s', async (name, lines, hex) => {
    const body = Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from('\n')]);
    const found = await reading(
      Buffer.concat([Buffer.from('name\n'), ...Array.from({ length: 5 }, () => body)]),
    );
    expect(found.cells.slice(0, 4).map(([cell]) => cell)).toEqual(lines);
    expect(found.facts.notes.join()).toContain(`guessed: ${name.split(',')[0]}`);
  });

  test('a few Chinese names are not taken for Korean', async () => {
    const found = await reading(
      Buffer.from(
        'b1e0bac52cd0d5c3fb2cb1b8d7a20a302ccdf5d0a1c3f72cc0cfbfcdbba70a312cc0eec4c82c0a322cc5b7d1f4b7e62c0a332cd5c5ceb02c0a342ccdf5d0a1c3f72cc0cfbfcdbba70a352cc0eec4c82c0a362cc5b7d1f4b7e62c0a372cd5c5ceb02c0a382ccdf5d0a1c3f72cc0cfbfcdbba70a392cc0eec4c82c0a31302cc5b7d1f4b7e62c0a31312cd5c5ceb02c',
        'hex',
      ),
    );
    expect(found.facts.columns).toEqual(['编号', '姓名', '备注']);
    expect(found.cells[2]).toEqual(['2', '欧阳锋', '']);
  });

  test('lines that break a UTF-8 file are broken rows with their bytes shown; the rest is read', async () => {
    const bytes = Buffer.concat([
      Buffer.from('name,town\nZoë,Köln\n'),
      Buffer.from('Jürgen,"Bad\nOrb"\n', 'latin1'),
      Buffer.from('Åsa,Malmö\n'),
    ]);
    const found = await reading(bytes);
    expect(found.rows.map((row) => row.line)).toEqual([2, 5]);
    expect(found.broken).toMatchObject([
      { line: 3, problem: { code: 'row.encoding' }, raw: 'J\\xFCrgen,"Bad\nOrb"' },
    ]);
    expect(found.broken[0]?.problem.reason).toContain('0xFC');
    expect(found.facts.notes.join()).toContain('1 place is not');
  });

  test('a replacement character that really stands in the file is no trouble', async () => {
    expect((await reading('name\n\ufffd\n')).cells).toEqual([['\ufffd']]);
  });
});

describe('encoding: stated', () => {
  test.each(['windows-1252', 'latin1', 'ISO-8859-1', 'cp1252'])('%s', async (encoding) => {
    const found = await reading(Buffer.from('n\nJürgen\n', 'latin1'), { encoding });
    expect(found.cells).toEqual([['Jürgen']]);
    expect(found.facts.notes).toEqual([]);
  });

  test.each(['cp850', 'IBM850', 'cp437', 'cp858'])('%s', async (encoding) => {
    const found = await reading(Buffer.from([0x6e, 0x0a, 0x4d, 0x81, 0xe1, 0xff, 0x0a]), { encoding });
    expect(found.cells).toEqual([['Müß\u00a0']]);
  });

  test('cp852', async () => {
    const found = await reading(Buffer.from([0x6e, 0x0a, 0x9d, 0xa2, 0x64, 0xab, 0x0a]), {
      encoding: 'cp852',
    });
    expect(found.cells).toEqual([['Łódź']]);
  });

  test('every byte of windows-1252 is what the standard says', async () => {
    const found = await reading(Buffer.from([0x6e, 0x0a, 0x80, 0x92, 0x9f, 0x0a]), {
      encoding: 'windows-1252',
    });
    expect(found.cells).toEqual([['€’Ÿ']]);
  });

  test('bytes that it does not have make broken rows', async () => {
    const bytes = Buffer.concat([
      Buffer.from('n\nok\n'),
      Buffer.from([0x81, 0xff, 0x0a]),
      Buffer.from('fine\n'),
    ]);
    const found = await reading(bytes, { encoding: 'shift_jis' });
    expect(found.cells).toEqual([['ok'], ['fine']]);
    expect(found.broken).toMatchObject([{ line: 3, problem: { code: 'row.encoding' } }]);
  });

  test('UTF-8 stated for something else rejects rows rather than guessing', async () => {
    const found = await reading(Buffer.from('n\nJürgen\nAda\n', 'latin1'), { encoding: 'utf-8' });
    expect(found.broken.map(({ line }) => line)).toEqual([2]);
  });

  test('a lone surrogate and half a unit of UTF-16 are broken rows', async () => {
    const lone = Buffer.concat([utf16(false, 'n\nok\n'), Buffer.from([0x00, 0xd8]), utf16(false, 'x\nfine')]);
    const found = await reading(Buffer.concat([lone, Buffer.from([0x41])]), { encoding: 'utf-16le' });
    expect(found.cells).toEqual([['ok']]);
    expect(found.broken.map(({ problem }) => problem.code)).toEqual(['row.encoding', 'row.encoding']);
  });

  test('an encoding that does not exist is refused', async () => {
    const error = await refusal(reading('n\na\n', { encoding: 'utf-9' }));
    expect(error.message).toContain('utf-9');
    expect(error.reason).toBe('input');
  });

  test('a header that cannot be decoded is refused', async () => {
    const bytes = Buffer.concat([Buffer.from('pr\xe9nom\n', 'latin1'), Buffer.from('Zoë\nÅsa\n')]);
    const error = await refusal(reading(bytes));
    expect(error.message).toContain('pr\\xE9nom');
    expect(error.place?.line).toBe(1);
  });
});

function singleByte(encoding: string, given: string): Buffer {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
  const letters = [...decoded(encoding, bytes)];
  return Buffer.from([...given].map((letter) => letters.indexOf(letter)));
}

/** TextDecoder reads windows-1252 as latin-1 in many releases of Node. */
function decoded(encoding: string, bytes: Buffer): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding).decode(bytes);
  return bytes.toString('latin1').replace('\u0080', '€');
}
