import { z } from 'zod';

const text = z.string().nullable();

/** The longest comment of the interface. */
const longest = 1_000;

const headers = { authorization: 'Bearer sandbox', 'content-type': 'application/json' };

const pageSchema = z.object({
  items: z.array(
    z.looseObject({
      id: z.number(),
      firstName: text,
      lastName: text,
      email: text,
      phone: text,
      language: text,
      countryCode: text,
      tags: z.array(z.string()),
      lifecycle: text,
      status: z.string(),
      assignee: z.looseObject({ email: z.string() }).nullable(),
      custom_fields: z.array(z.object({ name: z.string(), value: text })),
    }),
  ),
  pagination: z.object({ next: z.string() }),
});

/** What the interface does not show: the sandbox tells it on a path of its own. */
const behindSchema = z.object({
  id: z.number(),
  closing: z.object({ category: z.string(), summary: text }).nullable(),
  comments: z.array(z.object({ text: z.string() })),
});

type Read = z.infer<typeof pageSchema>['items'][number];
type Behind = z.infer<typeof behindSchema>;

/** A contact as the sample's expectations speak of it. */
export interface Comparable {
  readonly [field: string]: unknown;
  readonly customFields: Readonly<Record<string, string>>;
  readonly comments: readonly string[];
}

/** Every contact of a sandbox with its comments in order, by a client that is not ours. */
export async function readBack(baseUrl: string): Promise<Comparable[]> {
  const behind = await readBehind(baseUrl);
  return (await readContacts(baseUrl)).map((contact) => comparable(contact, behind.get(contact.id)));
}

async function readContacts(baseUrl: string): Promise<Read[]> {
  const contacts: Read[] = [];
  let url = `${baseUrl}/contact/list?limit=99`;
  while (url !== '') {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: '{}',
    });
    if (response.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      continue;
    }
    const page = pageSchema.parse(await response.json());
    contacts.push(...page.items);
    url = page.pagination.next;
  }
  return contacts;
}

async function readBehind(baseUrl: string): Promise<ReadonlyMap<number, Behind>> {
  const response = await fetch(new URL('/sandbox/contacts', baseUrl), { headers });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => behindSchema.parse(JSON.parse(line))).map((record) => [record.id, record]),
  );
}

function comparable(contact: Read, behind: Behind | undefined): Comparable {
  const {
    id: _,
    firstName,
    lastName,
    email,
    phone,
    language,
    countryCode,
    tags,
    lifecycle,
    status,
  } = contact;
  const customFields: Record<string, string> = {};
  for (const { name, value } of contact.custom_fields) if (value !== null) customFields[name] = value;
  return {
    ...{ firstName, lastName, email, phone, language, countryCode, tags, lifecycle, status, customFields },
    assignee: contact.assignee?.email ?? null,
    closing: behind?.closing ?? null,
    comments: joined(behind?.comments.map((comment) => comment.text) ?? []),
  };
}

/** Comments as they were meant: the parts of a long one put together, and a mention that only the data wrote as it is there. */
function joined(texts: readonly string[]): string[] {
  const comments: string[] = [];
  let open: readonly string[] = [];
  for (const text of texts) {
    if (text.length > longest) throw new Error(`a comment has ${text.length} characters`);
    if (/\{\{\s*@/.test(text)) throw new Error(`a comment mentions somebody: ${text}`);
    const [, number, of, part = ''] = /^\((\d+)\/(\d+)\) (.*)$/s.exec(text) ?? [];
    if (number === undefined) comments.push(text.replace('{ {@', '{{@'));
    else if (Number(number) !== open.length + 1) throw new Error(`part ${number} after ${open.length}`);
    else open = [...open, part];
    if (number !== undefined && number === of) {
      comments.push(words(open.join(' ')));
      open = [];
    }
  }
  if (open.length > 0) throw new Error(`${open.length} parts, and the rest is missing`);
  return comments;
}

/** A text without what a cut may take away: which white space stands between two words. */
export function words(text: string): string {
  return text.length > longest ? text.replace(/\s+/g, ' ') : text;
}
