// NDJSON as help desks and marketing tools export it: nested objects, arrays of texts and of objects, escapes, nulls.

/** The pieces of about so many bytes. `rows.lines` counts what was written. */
export function* ndjsonText(bytes, rows) {
  rows.lines = 0;
  for (let written = 0; written < bytes; ) {
    const line = `${JSON.stringify(personAt(rows.lines))}\n`;
    written += line.length;
    rows.lines += 1;
    yield line;
  }
}

function personAt(n) {
  return {
    id: `5f2c${String(n).padStart(20, '0')}`,
    type: 'contact',
    name: { first: `Zoë ${n}`, last: "D'Arcy", title: n % 4 === 0 ? 'Dr. "Z"' : null },
    emails: [
      { value: `person${n}@example.com`, primary: true },
      ...(n % 3 === 0 ? [{ value: `person${n}@work.example.com`, primary: false }] : []),
    ],
    phones:
      n % 5 === 0 ? [] : [{ value: `+1 202-555-01${String(n % 100).padStart(2, '0')}`, type: 'mobile' }],
    company: {
      id: n % 50_000,
      name: `Company ${n % 50_000}`,
      address: { city: 'Kuala Lumpur', country: 'MY' },
    },
    tags: ['newsletter', ...(n % 2 === 0 ? ['vip', 'fair 2019'] : [])],
    custom_fields: { plan: n % 2 === 0 ? 'gold' : 'silver', score: (n % 1_000) / 10, opted_in: n % 3 !== 0 },
    notes: Array.from({ length: n % 3 }, (_, at) => ({
      id: n * 10 + at,
      body: 'First line\nsecond line, "quoted", with a path C:\\Exports and a few more words',
      created_at: 1_552_000_000 + n,
    })),
    created_at: '2019-03-08T08:15:42.000Z',
    deleted_at: null,
  };
}
