/** A page of a list. */
export function page(items, next = '') {
  return { items, pagination: { next, previous: '' } };
}

/** A page of the list of `count` contacts; the cursor is how many were shown before. */
export function pageOf(query, count, contactAt) {
  const limit = Number(query.get('limit') ?? 10);
  const first = Number(query.get('cursorId') ?? 0);
  const end = Math.min(count, first + limit);
  const items = Array.from({ length: Math.max(0, end - first) }, (_, index) => contactAt(first + index));
  const next = end < count ? `http://127.0.0.1/v1/contact/list?limit=${limit}&cursorId=${end}` : '';
  return JSON.stringify(page(items, next));
}

/** What every kind of change answers; each client finds in it what it looks for. */
export function changed(contactId) {
  return JSON.stringify({ contactId, code: 200, message: 'ok', text: '', created_at: 1_700_000_000 });
}
