// The same made-up people for every format: of the bench, and of fixtures/formats.
export const columns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'city',
  'country',
  'segments',
  'note',
  'created_at',
  'score',
];

const firstNames = ['Ada', 'Zoë', 'Björn', 'Mei', 'Olu', 'Priya', 'Jean-Luc', 'Siobhán'];
const lastNames = ["O'Neill", 'Lindqvist', 'Tan', 'García', 'Okafor', 'Smith', 'Van der Berg'];
const cities = ['Kuala Lumpur', 'São Paulo', 'Leeds', 'Accra', 'Perth'];
const countries = ['MY', 'BR', 'GB', 'GH', 'AU'];
const notes = [
  '',
  'Met at the fair, wants a call back',
  'Says "next quarter", ask again',
  'First line\nsecond line',
  '',
  'Prefers e-mail; never phones',
];

/** The cells of person `n`, in the order of the columns. */
export function personAt(n) {
  const first = firstNames[n % firstNames.length];
  const last = lastNames[n % lastNames.length];
  const day = String(1 + (n % 28)).padStart(2, '0');
  return [
    String(n + 1),
    first,
    last,
    `person${n}@example.com`,
    `+12025550${100 + (n % 100)}`,
    `Company ${n % 5_000} Ltd`,
    cities[n % cities.length],
    countries[n % countries.length],
    n % 3 === 0 ? 'vip;newsletter' : 'newsletter',
    notes[n % notes.length],
    `2019-03-${day} 08:15:${String(n % 60).padStart(2, '0')}`,
    String((n * 37) % 1_000),
  ];
}

export function* people(count) {
  for (let n = 0; n < count; n += 1) yield personAt(n);
}
