import { describe, expect, test } from 'vitest';
import { contactFieldTypes, isSameContactFieldValue } from '../../src/datatypes/index.ts';
import { type ContactFieldName, contactFieldNames } from '../../src/model/contact.ts';

interface Samples {
  readonly reads: readonly (readonly [cell: string, value: string, country?: string])[];
  readonly refuses: readonly (readonly [cell: string, saying: string, country?: string])[];
  readonly same: readonly (readonly [readBack: string, wanted: string])[];
  readonly different: readonly (readonly [readBack: string, wanted: string])[];
}

const text: Samples = {
  reads: [['Ada', 'Ada']],
  refuses: [],
  same: [['Ada', 'Ada']],
  different: [['Ada', 'ada']],
};

const long = (length: number): string => 'a'.repeat(length);

const samples: Readonly<Record<ContactFieldName, Samples>> = {
  firstName: text,
  lastName: text,
  profilePic: {
    reads: [['https://example.com/a.png', 'https://example.com/a.png']],
    refuses: [['no picture', 'not a web address']],
    same: [['https://example.com/a.png', 'https://example.com/a.png']],
    different: [['https://example.com/a.png', 'https://example.com/A.png']],
  },
  email: {
    reads: [
      ['\u3000ADA@Example.com\ufeff', 'ada@example.com'],
      ['\u200bada+list@mail.example.co.uk\u00a0', 'ada+list@mail.example.co.uk'],
      ['İBRAHİM.ÇELİK@EXAMPLE.COM', 'ibrahim.çelik@example.com'],
      ["o'brien@example.ie", "o'brien@example.ie"],
      ['用户@例子.广告', '用户@例子.广告'],
      [`${long(64)}@example.com`, `${long(64)}@example.com`],
      ['mailto:ada@example.com', 'ada@example.com'],
      ['work: ada@example.com', 'ada@example.com'],
      ['E-Mail (privat): ada@example.com', 'ada@example.com'],
      ['Личный e-mail: ada@example.com', 'ada@example.com'],
      ['MAILTO: Ada@example.com?subject=Hello', 'ada@example.com'],
      ['<ada@example.com>', 'ada@example.com'],
      ['< ada@example.com >', 'ada@example.com'],
      ['Ada <ada@example.com>', 'ada@example.com'],
      ['"Lovelace, Ada" <Ada@Example.com>', 'ada@example.com'],
      ['Lovelace, Ada <ada@example.com>', 'ada@example.com'],
      ['ada@example.com <mailto:ada@example.com>', 'ada@example.com'],
      ['<mailto:ada@example.com>', 'ada@example.com'],
      ['ada@example.com.', 'ada@example.com'],
      ['ada@example.com,', 'ada@example.com'],
      ['ada@example.com;', 'ada@example.com'],
      ['"ada@example.com"', 'ada@example.com'],
      ["'ada@example.com'", 'ada@example.com'],
      ["'ada@example.com", 'ada@example.com'],
      ['„ada@example.com“', 'ada@example.com'],
      ['(ada@example.com)', 'ada@example.com'],
      ['ada@example.com (private)', 'ada@example.com'],
      ['ada@\u200bexample\u00ad.com', 'ada@example.com'],
      ['\u202aada@example.com\u202c', 'ada@example.com'],
      ['E-Mail: ada@example.com', 'ada@example.com'],
    ],
    refuses: [
      ['', 'no @'],
      [`/o=${long(40)}/cn=${long(40)}`, 'no @'],
      ['ada@localhost', 'looks like name@example.com'],
      ['ada@example', 'looks like name@example.com'],
      ['ada @example.com', 'looks like name@example.com'],
      ['ada..b@example.com', 'looks like name@example.com'],
      ['.ada@example.com', 'looks like name@example.com'],
      ['ada@-example.com', 'looks like name@example.com'],
      ['ada@example..com', 'looks like name@example.com'],
      ['ada@1.2.3.4', 'looks like name@example.com'],
      ['Bob bob@example.com <ada@example.com>', 'several addresses'],
      ['<ada@example.com> <bob@example.com>', 'several addresses'],
      ['Ada ada@example.com', 'looks like name@example.com'],
      ['ada(at)example.com', 'no @'],
      ['invalid: ada@example.com', 'looks like name@example.com'],
      ['<ada>', 'no @'],
      ['ada@example.com; bob@example.com', 'several addresses'],
      [`${long(65)}@example.com`, 'at most 64'],
      [`ada@${long(64)}.com`, 'longer than 63'],
      [`ada@${`${long(60)}.`.repeat(5)}com`, 'at most 254'],
    ],
    same: [['ADA@example.com', 'ada@example.com']],
    different: [['ada@example.com', 'ada@example.org']],
  },
  phone: {
    reads: [
      ['+60123456789', '+60123456789'],
      ['012-345 6789', '+60123456789', 'MY'],
      ['+60\u00a012\u2009345\u30006789\u200b', '+60123456789'],
      ['0060 12 345 6789', '+60123456789'],
      ['0060 12 345 6789', '+60123456789', 'US'],
      ['+49 (0)711 123456', '+49711123456'],
      ['+49 0711 123456', '+49711123456'],
      ['0049 (0) 711 123456', '+49711123456'],
      ['+34 (0)91 123 45 67', '+34911234567'],
      ['0045 (0) 33 12 34 56', '+4533123456'],
      ['+39 06 698 83145', '+390669883145'],
      ['001-202-456-1111', '+12024561111'],
      ['001-202-456-1111', '+12024561111', 'US'],
      ['(202) 456-1111', '+12024561111', 'US'],
      ['202.456.1111', '+12024561111', 'US'],
      ['２０２４５６１１１１', '+12024561111', 'US'],
      ['tel:+1-202-456-1111', '+12024561111'],
      ['+44 20 7946 0958', '+442079460958', 'US'],
      ['(0711) 123-45', '+4971112345', 'DE'],
      ['0171/1509813', '+491711509813', 'DE'],
      ['0711 / 12 34 56', '+49711123456', 'DE'],
      ['0711 – 123456-0', '+497111234560', 'DE'],
      ['(+49) 711 123456', '+49711123456'],
      ['(0049) 711 123456', '+49711123456'],
      ['+49 (0) 711/123456', '+49711123456'],
      ['Tel.: 0711 123456', '+49711123456', 'DE'],
      ['T +49 711 123456', '+49711123456'],
      ['0711 123456 (privat)', '+49711123456', 'DE'],
    ],
    refuses: [
      ['n/a', 'it has no digits'],
      ['202-456-1111', 'no country code'],
      ['202-456-1111', 'no country code', 'AQ'],
      ['555-1234', 'too few digits', 'US'],
      ['+1 202 456 1111 2222', 'too many digits'],
      ['555-555-5555', 'is not a valid number of', 'US'],
      ['+999 123 456 789', 'does not exist'],
      ['+12024561111 / +12024561112', 'several numbers'],
      ['0711 123456 / 0171 1509813', 'several numbers', 'DE'],
      ['0152/1509813', 'is not a valid number of', 'DE'],
      ['Fax 0711 123456', 'it has letters', 'DE'],
      ['call +12024561111', 'it has letters'],
      ['202-456-1111 ext 5', 'no country code'],
      ['+60', 'too few digits'],
    ],
    same: [
      ['+60 12-345 6789', '+60123456789'],
      ['0060123456789', '+60123456789'],
    ],
    different: [['+60123456788', '+60123456789']],
  },
  language: {
    reads: [
      ['English', 'en'],
      ['français', 'fr'],
      ['DE', 'de'],
      ['en-US', 'en'],
      ['pt_BR', 'pt'],
      ['zh-Hant-TW', 'zh'],
      ['English (United Kingdom)', 'en'],
      ['deu', 'de'],
      ['Bahasa  Melayu', 'ms'],
      ['iw', 'he'],
    ],
    refuses: [
      ['Klingon', 'not a language'],
      ['xx', 'not a language'],
      ['xx-US', 'not a language'],
    ],
    same: [['EN', 'en']],
    different: [['en', 'fr']],
  },
  countryCode: {
    reads: [
      ['Malaysia', 'MY'],
      ['malaysia', 'MY'],
      ['MYS', 'MY'],
      ['my', 'MY'],
      ['UK', 'GB'],
      ['U.S.A.', 'US'],
      ['United States', 'US'],
      ['Viet Nam', 'VN'],
      ["Cote d'Ivoire", 'CI'],
      ['Ivory Coast', 'CI'],
      ['The Gambia', 'GM'],
      ['Korea, Republic of', 'KR'],
      ['Congo, The Democratic Republic of the', 'CD'],
      ['Trinidad & Tobago', 'TT'],
      ['St. Lucia', 'LC'],
      ['Türkiye', 'TR'],
      ['Turkey', 'TR'],
      ['Curaçao', 'CW'],
      ['Guinea-Bissau', 'GW'],
      ['Deutschland', 'DE'],
      ['España', 'ES'],
      ['Österreich', 'AT'],
      ['OESTERREICH', 'AT'],
      ['Grossbritannien', 'GB'],
      ['Großbritannien', 'GB'],
      ['Stati Uniti', 'US'],
      ['États-Unis', 'US'],
      ['EE.UU.', 'US'],
      ['EUA', 'US'],
      ['Estados Unidos', 'US'],
      ['Inglaterra', 'GB'],
      ['Holanda', 'NL'],
      ['Türkiye', 'TR'],
      ['Maroc', 'MA'],
      ['المغرب', 'MA'],
      ['Россия', 'RU'],
      ['Украина', 'UA'],
      ['日本', 'JP'],
      ['德國', 'DE'],
      ['대한민국', 'KR'],
      ['Việt Nam', 'VN'],
      ['ไทย', 'TH'],
      ['+49', 'DE'],
      ['0049', 'DE'],
      ['00 49', 'DE'],
      ['49', 'DE'],
      ['+44', 'GB'],
      ['+352', 'LU'],
      ['Germany (+49)', 'DE'],
      ['DE - Deutschland', 'DE'],
    ],
    refuses: [
      ['Narnia', 'not a country'],
      ['EU', 'not a country'],
      ['Kongo', 'not a country'],
      ['+1', 'not a country'],
      ['+7', 'not a country'],
      ['+999', 'not a country'],
      ['36', 'not a country'],
      ['352', 'not a country'],
      ['Germany (+43)', 'not a country'],
      ['DE / AT', 'not a country'],
      ['AN', 'not a country'],
      ['', 'not a country'],
    ],
    same: [['my', 'MY']],
    different: [['MY', 'SG']],
  },
};

describe.each(contactFieldNames)('%s', (name) => {
  const { reads, refuses, same, different } = samples[name];
  const { parse } = contactFieldTypes[name];

  test.each(reads.map(([cell, value, country]) => ({ cell, value, country })))(
    'reads $cell as $value ($country)',
    (each) => {
      expect(parse(each.cell, each.country)).toEqual({ ok: true, value: each.value });
    },
  );

  test.each(refuses.map(([cell, saying, country]) => ({ cell, saying, country })))(
    'refuses $cell, saying "$saying" ($country)',
    (each) => {
      expect(parse(each.cell, each.country)).toMatchObject({
        ok: false,
        problem: 'invalid',
        reason: expect.stringContaining(each.saying),
      });
    },
  );

  test('compares what is read back', () => {
    for (const [readBack, wanted] of same) expect(isSameContactFieldValue(name, readBack, wanted)).toBe(true);
    for (const [readBack, wanted] of different)
      expect(isSameContactFieldValue(name, readBack, wanted)).toBe(false);
    for (const [, wanted] of same) {
      for (const nothing of [null, undefined, '']) {
        expect(isSameContactFieldValue(name, nothing, null)).toBe(true);
        expect(isSameContactFieldValue(name, nothing, wanted)).toBe(false);
        expect(isSameContactFieldValue(name, wanted, nothing)).toBe(false);
      }
    }
  });
});

test('an extension is left out with a note', () => {
  for (const cell of ['(202) 456-1111 x427', '+1 202 456 1111 ext. 427', '+12024561111;ext=427']) {
    expect(contactFieldTypes.phone.parse(cell, 'US')).toEqual({
      ok: true,
      value: '+12024561111',
      note: { problem: 'extension', reason: expect.stringContaining('427') },
    });
  }
});
