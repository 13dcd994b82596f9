/** What people are called where they have a number, in the languages of the exports people bring. */
const people = `contact person customer cust client lead user member subscriber patient student donor guest record kd kunden
   kunde kontakt mitglieds? teilnehmer interessenten abonnenten spender debitor(?:en)? datensatz satz adress adresse contacto
   cliente clientes socio usuario persona registro contatto clienti membre adherent abonne dossier klant klanten relatie
   debiteur lid klient klienta klienten kund kunder medlem asiakas jasen zakaznika? musteri uye pelanggan anggota клиента
   контакта контрагента 客户 客戶 顧客 会員 會員 고객 회원`;

/** What their number is called. */
const numbers = `id ids? no nr num number nummer numero numer numara numarasi n code cod codigo codice kod kodu kode key
   schluessel schlussel ref reference referenz referencia kennung kennziffer numeris cislo nomor номер код 编号 編號 号 番号
   コード id番号 번호`;

/** Small words between the two. */
const joints = '(?:s|d|de|del|della|di|do|du|l|le|la|van)?';

const oneOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;
const named = new RegExp(
  `^(?:${oneOf(people)}${joints}${oneOf(numbers)}|${oneOf(numbers)}${joints}(?:l|la|el)?${oneOf(people)})$`,
  'u',
);
const bare = new RegExp(`^(?:${oneOf(numbers)})$`, 'u');

/** Alone they say nothing: an address book has its owner's public key under KEY. */
const vague = new Set(['n', 'key']);

/** How well a column's name, in small letters and without signs, names a key; undefined where it names none. */
export function keyRank(name: string): number | undefined {
  if (named.test(name)) return 0;
  return bare.test(name) && !vague.has(name) ? 1 : undefined;
}
