import { afterAll, describe, expect, it } from 'vitest';
import { checked, drafted, removeFolders } from './drafting.ts';

afterAll(removeFolders);

it('takes the names of a DATEV file for those of people, and not those of companies', async () => {
  const columns = ['Unternehmen', 'natürl. Person', 'keine Angabe'].map(
    (type) => `Name (Adressattyp ${type})`,
  );
  const [company, last, other] = columns;
  const made = await drafted(
    [
      '"EXTF";700;16;"Debitoren/Kreditoren";5;20240130140440439;;"RE";"";"";29098;55003',
      `Konto;${columns.join(';')};Vorname (Adressattyp natürl. Person);Adressattyp;E-Mail`,
      '10000;"";"Müller";"";"Jürgen";"1";"j@example.com"',
      '10001;"Groß GmbH";"";"";"";"2";"g@example.com"',
      '10002;"";"Weiß";"";"Änne";"1";"a@example.com"',
      '10003;"";"";"Laufkundschaft Süd";"";"0";"l@example.com"',
    ].join('\r\n'),
  );
  const { pipeline, wrong } = await checked(made);
  expect(wrong).toEqual([]);
  expect(pipeline.import.mapping.mapping).toMatchObject({
    contact: {
      firstName: { from: ['Vorname (Adressattyp natürl. Person)', other] },
      lastName: { from: last },
    },
    customFields: { Company: { from: company } },
  });
  expect(pipeline.import.source.options).toMatchObject({ header: 2 });
});

it.each(['Họ', 'Họ đệm', 'Họ và tên đệm'])(
  'takes %s and Tên for the family and the given name',
  async (family) => {
    const made = await drafted(
      [
        `Mã KH,${family},Tên,Email`,
        'K1,Nguyễn Văn,An,an@example.com',
        'K2,Trần Thị,Bình,binh@example.com',
        'K3,Lê,Cường,cuong@example.com',
      ].join('\n'),
    );
    const { pipeline, wrong } = await checked(made);
    expect(wrong).toEqual([]);
    expect(pipeline.import.mapping.mapping).toMatchObject({
      key: 'Mã KH',
      contact: { firstName: { from: 'Tên' }, lastName: { from: family } },
    });
  },
);

/** The contact's rules of the draft of a CSV, and the text of its mapping. */
async function contactOf(...lines: readonly string[]) {
  const made = await drafted(`${lines.join('\n')}\n`);
  const { pipeline, wrong } = await checked(made);
  return { contact: pipeline.import.mapping.mapping.contact, wrong, text: made.draft.mapping.text };
}

describe('the name of a person', () => {
  it.each(['lead_name', 'Lead Name', 'customer_name'])(
    'is taken from the plain name and not from %s',
    async (other) => {
      const { contact } = await contactOf(
        `id,name,${other},email`,
        '1,Ann Smith,Harbour Foods Ltd,ann@example.com',
        '2,Bob Lee,Nordlicht GmbH,bob@example.com',
      );
      expect(contact.firstName).toMatchObject({ from: 'name', part: 'given' });
    },
  );

  it('is taken from the name of the contact where there is one of the customer, too', async () => {
    const { contact } = await contactOf(
      'id,customer_name,contact_name,email',
      '1,Harbour Foods Ltd,Ann Smith,ann@example.com',
      '2,Nordlicht GmbH,Bob Lee,bob@example.com',
    );
    expect(contact.firstName).toMatchObject({ from: 'contact_name', part: 'given' });
  });

  it('is asked where two columns may have it', async () => {
    const made = await drafted(
      'id,lead_name,customer_name,email\n1,Ann Smith,Harbour Foods,ann@example.com\n2,Bob Lee,Nord Licht,bob@example.com\n',
    );
    expect(made.draft.mapping.text).toContain('which column holds the first name?');
  });

  it('has the family name first where the column says so', async () => {
    const { contact, text, wrong } = await contactOf(
      'ID;ФИО;Email',
      '1;Иванов Иван Иванович;ivan@example.ru',
      '2;Петрова Анна Сергеевна;anna@example.ru',
    );
    expect(contact).toMatchObject({
      firstName: { from: 'ФИО', part: 'given', familyFirst: true },
      lastName: { from: 'ФИО', part: 'family', familyFirst: true },
    });
    expect(text).toContain('read as "Family Given", as the column tells');
    expect(wrong).toEqual([]);
  });

  it('has the family name first where patronymics are last', async () => {
    const { contact } = await contactOf(
      'ID;Имя;Email',
      '1;Иванов Иван Иванович;ivan@example.ru',
      '2;Петрова Анна Сергеевна;anna@example.ru',
    );
    expect(contact.lastName).toMatchObject({ from: 'Имя', part: 'family', familyFirst: true });
  });

  it('keeps the order of the script in a Japanese column, and has the family name first where it is romanised', async () => {
    const japanese = await contactOf(
      'ID,氏名,Email',
      '1,山田 太郎,a@example.com',
      '2,佐藤 花子,b@example.com',
    );
    expect(japanese.contact.firstName).not.toHaveProperty('familyFirst');
    expect(japanese.text).toContain('names in Chinese, Japanese or Korean script are read as "Family Given"');
    const romanised = await contactOf(
      'ID,氏名,Email',
      '1,Yamada Taro,a@example.com',
      '2,Sato Hanako,b@example.com',
    );
    expect(romanised.contact.firstName).toMatchObject({ familyFirst: true });
  });

  it('is read with the given name first where nothing tells, and the draft says how to change it', async () => {
    const { contact, text } = await contactOf(
      'ID,Name,Email',
      '1,Ann Smith,a@example.com',
      '2,Bob Lee,b@example.com',
    );
    expect(contact.firstName).not.toHaveProperty('familyFirst');
    expect(text).toContain(
      'read as "Given Family"; if they are "Family Given", add `familyFirst: true` to both',
    );
    expect(text).not.toContain('most are written');
  });
});

describe('further e-mails and phones', () => {
  it.each([
    ['ru', 'Рабочий e-mail,Личный e-mail,Имя,Рабочий телефон,Мобильный телефон'],
    ['uk', "Робоча пошта,Особиста пошта,Ім'я,Робочий телефон,Мобільний телефон"],
    ['pt', 'E-mail comercial,E-mail pessoal,Nome,Telefone comercial,Celular'],
    ['pl', 'E-mail służbowy,E-mail prywatny,Imię,Telefon służbowy,Telefon komórkowy'],
    ['it', 'Email lavoro,Email personale,Nome,Telefono ufficio,Cellulare'],
    ['tr', 'İş e-postası,Kişisel e-posta,Ad,İş telefonu,Cep telefonu'],
  ])('are found by their names (%s), work before home and mobile first', async (_, names) => {
    const [work, home, , phone, mobile] = names.split(',');
    const { contact, wrong } = await contactOf(
      `ID,${names}`,
      '1,a@example.com,,Ann,,+14155552671',
      '2,,oleg@example.com,Oleg,+14155552672,',
    );
    expect(contact).toMatchObject({ email: { from: [work, home] }, phone: { from: [mobile, phone] } });
    expect(wrong).toEqual([]);
  });

  it('are found in a column that says only Work', async () => {
    const { contact } = await contactOf(
      'Id,First name,Emails,Work,Mobile',
      '1,Ann,ann@example.com,+14155552671,+14155552672',
      '2,Bob,bob@example.com,+14155552673,',
    );
    expect(contact.phone).toMatchObject({ from: ['Mobile', 'Work'] });
  });
});

describe('a column that is named for phones', () => {
  it.each([
    ['labels behind', '"+49 151 23456701 (Mobile), +49 30 901801 (Work)"', '+49 151 23456702 (Mobile)'],
    ['labels before', 'work: +49 30 901801; mobile: +49 151 23456701', 'mobile: +49 151 23456702'],
    ['labels in Russian', 'Рабочий: +49 30 901801; моб.: +49 151 23456701', 'Мобильный: +49 151 23456702'],
    ['numbers rounded by a spreadsheet', '9.19877E+11', '9.19878E+11'],
  ])('is the phone: %s', async (_, first, second) => {
    const { contact } = await contactOf(
      'ID,Name,Phone,Email',
      `1,Ann Alt,${first},ann@example.com`,
      `2,Bob Neu,${second},bob@example.com`,
    );
    expect(contact.phone).toMatchObject({ from: 'Phone' });
  });

  it('has a question for the country where numbers with a label have no country code', async () => {
    const made = await drafted('ID,Name,Phone,Email\n1,Ann Alt,030 901801 (Work),a@example.com\n');
    expect(made.draft.mapping.text).toContain('which country are numbers without a country code from?');
  });

  it('is a field with a warning where most cells have no number', async () => {
    const { contact, text } = await contactOf(
      'ID,Name,Phone,Email',
      '1,Ann Alt,Pixel,ann@example.com',
      '2,Bob Neu,Nokia,bob@example.com',
    );
    expect(contact.phone).toBeUndefined();
    expect(text).toContain('its name says phone, but most cells have none: please verify');
  });
});

it('a column of e-mails with labels is the e-mail', async () => {
  const { contact, wrong } = await contactOf(
    'ID,Name,Email',
    '1,Ann Alt,"ann@example.com (Work), ann@example.org (Home)"',
    '2,Bob Neu,work: bob@example.com; home: bob@example.org',
  );
  expect(contact.email).toMatchObject({ from: 'Email' });
  expect(wrong).toEqual([]);
});

it('the country of phones is found in a column in capitals', async () => {
  const { contact } = await contactOf(
    'ID,FIRSTNAME,LASTNAME,PHONE,MAILINGCOUNTRY',
    '1,Ann,A,(415) 555-2671,United States',
    '2,Eva,B,030 901820,Germany',
  );
  expect(contact.phone).toMatchObject({ country: { from: 'MAILINGCOUNTRY' } });
});

describe('a column that counts the rows', () => {
  const fileOf = (name: string, numbers: readonly number[]) =>
    [`${name},Name,Email`, ...numbers.map((number, at) => `${number},Ann Alt,a${at}@example.com`)].join('\n');

  it.each(['No', 'Nr.', '#', 'Lp.', 'STT', 'Lfd. Nr.', 'S.No', '№ п/п', '序号', 'ลำดับ'])(
    'is no key, because a newer file counts other people: %s',
    async (name) => {
      const made = await drafted(fileOf(name, [1, 2, 3, 4]));
      const [question] = made.draft.todos.map((todo) => todo.question);
      expect(question).toContain('which column identifies a row');
      expect(question).toContain('(filled and different in every row: Email)');
    },
  );

  it.each([
    ['a number of the contact', 'Customer No', [1, 2, 3, 4]],
    ['an id', 'id', [1, 2, 3, 4]],
    ['numbers with gaps', 'No', [1, 2, 4, 5]],
    ['numbers in another order', 'Nr.', [3, 1, 2, 4]],
  ])('is a key where it is %s', async (_, name, numbers) => {
    const made = await drafted(fileOf(name, numbers));
    expect(made.draft.mapping.text).toContain(`\nkey: ${name} #`);
  });
});

describe('a file without a column called phone', () => {
  it('names a column that looks like phones', async () => {
    const made = await drafted(
      'ID,Name,Email,Zzz\n1,Ann Alt,a@example.com,030 901820\n2,Bob Neu,b@example.com,030 901821\n',
    );
    expect(made.draft.notes.join()).toContain(
      'The values of "Zzz" look like phones, but its name does not say so.',
    );
  });

  it.each([
    ['ID,Name,Email,Order\n1,Ann Alt,a@example.com,901820\n2,Bob Neu,b@example.com,901821\n'],
    ['ID,Name,Email,Spouse,Phone\n1,Ann Alt,a@example.com,030 901820,030 901820\n'],
  ])('says nothing of other columns: %j', async (text) => {
    expect((await drafted(text)).draft.notes.join()).not.toContain('look like phones');
  });
});

it('offers the countries of the e-mail addresses for phones without a country code', async () => {
  const made = await drafted(
    'ID,Name,Email,Phone\n1,Ann Alt,a@example.gr,2101234567\n2,Bob Neu,b@example.gr,2101234568\n',
  );
  expect(made.draft.mapping.text).toContain('Give its code: GR (right for 100 %)');
});
