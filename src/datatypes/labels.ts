/**
 * Words that tell which of several e-mails or phones a value is, in the languages of common exports: in the name of a
 * column (`Work Email`), or before the value in a cell (`work: ann@example.com`).
 */
const labels = {
  main: `main primary default preferred standard haupt principal principale hoofd glowny glowna podstawowy
    ana birincil utama основной основная основний основна 主要 主 代表 대표 الرئيسي الاساسي`,
  work: `work business office corporate professional direct desk arbeit arbeits dienst dienstlich dienstliche geschaft
    geschafts geschaftlich geschaftliche buro beruflich professionnel professionnelle pro travail bureau
    trabajo oficina profesional laboral corporativo trabalho comercial escritorio profissional
    lavoro ufficio uff aziendale zakelijk zakelijke werk kantoor sluzbowy sluzbowa sluzbowe praca firmowy firmowa is isyeri
    ofis kurumsal kerja kantor pejabat рабочий рабочая рабочее раб служебный служебная корпоративный корпоративная
    робочий робоча роб службовий службова корпоративний корпоративна 工作 办公 辦公 勤務先 仕事 職場 직장 업무 العمل عمل`,
  home: `home private personal privat private privates personlich heim zuhause domicile prive privee perso personnel personnelle
    maison casa particular personale personales domicilio pessoal residencial residencia ab abitazione privato privata
    prive thuis prywatny prywatna prywatne domowy domowa osobisty ev kisisel ozel ev rumah pribadi peribadi личный личная
    личное дом домашний домашняя особистий особиста домашніи домашня 个人 個人 家庭 私人 自宅 개인 집 자택 الشخصي المنزل شخصي منزل`,
  other: `other alternate alternative alt secondary second third additional extra weitere andere zweite alternativ autre
    secondaire otro otra secundario secundaria alternativo alternativa adicional outro outra altro altra secondario
    secondaria ander andere tweede inny inna dodatkowy dodatkowa drugi diger ikinci lain kedua другой другая дополнительный
    дополнительная доп второй інший інша додатковий додаткова другии 其他 其它 备用 その他 기타 اخر اخرى`,
  line: `landline fixed festnetz fixe fijo fixo fisso vast stacjonarny sabit стационарный городской стаціонарний міський`,
} as const;

type Label = keyof typeof labels;

const labelNames = Object.keys(labels).filter((name): name is Label => Object.hasOwn(labels, name));

const labelOf: ReadonlyMap<string, Label> = new Map(
  labelNames.flatMap((label) => wordsOf(labels[label]).map((word) => [word, label] as const)),
);

/** Names of e-mails in a cell: `E-Mail: ann@example.com`. */
export const emailNames: ReadonlySet<string> = new Set(
  wordsOf(`e mail email mailto courriel correo posta eposta poczta surel emel почта пошта имейл 邮箱 邮件 電子郵件 メール
    이메일 البريد`),
);

/** Names of phones in a cell: `mobile: 0171 …`; no names of faxes. */
export const phoneNames: ReadonlySet<string> = new Set(
  wordsOf(`tel tels phone telephone telefon telefono telefone telefoon fon call mobile mob mobil mobiltelefon cell cellphone
    cellular cel celular cellulare movil movel telemovel handy portable gsm mobiel komorka komorkowy komorkowa cep hp ponsel
    whatsapp wa viber telegram telefonu телефон тел моб мобильный мобильная мобільний сот сотовый 手机 电话 手機 電話 携帯 携帯電話
    휴대폰 전화 جوال الجوال هاتف الهاتف موبايل m t`),
);

function wordsOf(words: string): readonly string[] {
  return words.split(/\s+/).map(squeezeWord);
}

/** Returns what a word tells about a value of several; undefined for any other word. */
export function findValueLabel(word: string): Label | undefined {
  return labelOf.get(word);
}

const labelled = /^(\p{L}[\p{L}\p{M}\s.'’-]{0,30}?)\s*(?:\([^()@\d]{0,30}\)\s*)?:\s*(?=[^\s/:])/u;

/**
 * Returns a value without a label such as `work:` or `E-Mail (privat):` before it; `names` are words for the value
 * itself. Any other word before the colon is left, for it may say that the value is invalid.
 */
export function removeValueLabel(text: string, names: ReadonlySet<string>): string {
  const [whole = '', label = ''] = labelled.exec(text) ?? [];
  const words = label
    .split(/[\s.-]+/)
    .map(squeezeWord)
    .filter((word) => word !== '');
  const isLabel = words.length > 0 && words.every((word) => labelOf.has(word) || names.has(word));
  return isLabel ? text.slice(whole.length) : text;
}

/** Returns a word in lower case, without accents, punctuation and white space. */
export function squeezeWord(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{S}\s]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFC');
}
