import type { ExportColumn, ExportColumnType, ExportKind } from '../../../src/model/export-record.ts';

type Columns = readonly (readonly [path: string, type: ExportColumnType])[];

/** The columns that a table has where none are chosen, as the README tells them; contacts have their custom fields besides. */
export const columnsOfKind: { readonly [K in ExportKind]?: Columns } = {
  contacts: [
    ['id', 'integer'],
    ['firstName', 'text'],
    ['lastName', 'text'],
    ['email', 'text'],
    ['phone', 'text'],
    ['language', 'text'],
    ['countryCode', 'text'],
    ['profilePic', 'text'],
    ['lifecycle', 'text'],
    ['assignee.id', 'integer'],
    ['assignee.firstName', 'text'],
    ['assignee.lastName', 'text'],
    ['assignee.email', 'text'],
    ['status', 'text'],
    ['isBlocked', 'boolean'],
    ['created', 'moment'],
    ['tags', 'texts'],
  ],
  messages: [
    ['id', 'integer'],
    ['contactId', 'integer'],
    ['created', 'moment'],
    ['direction', 'text'],
    ['sender', 'text'],
    ['type', 'text'],
    ['text', 'text'],
    ['channelId', 'integer'],
    ['status', 'text'],
    ['channelMessageId', 'text'],
    ['messageTag', 'text'],
    ['senderSource', 'text'],
    ['senderUserId', 'text'],
    ['senderTeamId', 'text'],
    ['pendingAt', 'moment'],
    ['sentAt', 'moment'],
    ['deliveredAt', 'moment'],
    ['readAt', 'moment'],
    ['failedAt', 'moment'],
    ['failure', 'text'],
    ['message', 'json'],
  ],
  users: [
    ['id', 'integer'],
    ['firstName', 'text'],
    ['lastName', 'text'],
    ['email', 'text'],
    ['role', 'text'],
    ['team.id', 'integer'],
    ['team.name', 'text'],
    ['restrictions', 'texts'],
  ],
  customFields: [
    ['id', 'integer'],
    ['name', 'text'],
    ['slug', 'text'],
    ['description', 'text'],
    ['dataType', 'text'],
    ['allowedValues', 'texts'],
  ],
  closingNotes: [
    ['category', 'text'],
    ['description', 'text'],
  ],
  tags: [
    ['name', 'text'],
    ['contacts', 'integer'],
  ],
  templates: [
    ['id', 'integer'],
    ['name', 'text'],
    ['channelId', 'integer'],
    ['botId', 'integer'],
    ['languageCode', 'text'],
    ['category', 'text'],
    ['status', 'text'],
    ['statusDetail', 'text'],
    ['templateId', 'text'],
    ['namespace', 'text'],
    ['components', 'json'],
    ['bundle', 'json'],
  ],
};

const fieldTypes: Readonly<Record<string, ExportColumnType>> = {
  number: 'number',
  checkbox: 'boolean',
  date: 'date',
};

/** The columns of a kind in a workspace with these custom fields. */
export function columnsIn(
  kind: ExportKind,
  customFields: readonly { readonly name: string; readonly dataType: string }[],
): readonly ExportColumn[] {
  const fixed = (columnsOfKind[kind] ?? []).map(([name, type]) => ({ name, path: name.split('.'), type }));
  if (kind !== 'contacts') return fixed;
  const own = customFields.map(({ name, dataType }) => ({
    name: `customFields.${name}`,
    path: ['customFields', name],
    type: fieldTypes[dataType] ?? 'text',
  }));
  return [...fixed, ...own];
}
