import type { SqliteFile } from '../../storage/sqlite.ts';

export interface TemplateRow {
  readonly id: number;
  readonly channel: number;
  /** JSON object: the template without its id and its channel's. */
  readonly body: string;
}

export interface ChannelStore {
  has(id: number): boolean;
  /** Makes the channel where it is missing. */
  add(id: number): void;
  addTemplate(channel: number, id: number | undefined, body: object): void;
}

export function createChannelStore(db: SqliteFile): ChannelStore {
  const one = db.prepare<[number], { id: number }>('SELECT id FROM channels WHERE id = ?');
  const insert = db.prepare<[number]>('INSERT OR IGNORE INTO channels (id) VALUES (?)');
  const insertTemplate = db.prepare<[number | null, number, string]>(
    'INSERT INTO templates (id, channel, body) VALUES (?, ?, ?)',
  );
  return {
    has: (id) => one.get(id) !== undefined,
    add: (id) => {
      insert.run(id);
    },
    addTemplate(channel, id, body) {
      insertTemplate.run(id ?? null, channel, JSON.stringify(body));
    },
  };
}

/** A message template as the interface shows it (specification: Message template). */
export function templateOf(row: TemplateRow): object {
  const body: object = JSON.parse(row.body);
  return { id: row.id, channelId: row.channel, ...body };
}
