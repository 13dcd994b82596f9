import type { CustomField } from '../../../model/custom-field.ts';
import type { ExportColumn, ExportColumnType, ExportKind } from '../../../model/export-record.ts';
import {
  contactColumnTypesByPath,
  customFieldPrefix,
  messageColumnTypesByPath,
} from '../../../pipeline/export/columns.ts';

type Columns = Readonly<Record<string, ExportColumnType>>;

/** Paths of objects whose parts have columns of their own. */
const nested = new Set(['assignee', 'customFields']);

const contact: Columns = Object.fromEntries(
  Object.entries(contactColumnTypesByPath).filter(([path]) => !nested.has(path)),
);

/** The columns of each kind, by path; contacts also have one for each custom field. */
export const fixedExportColumns: Readonly<Record<ExportKind, Columns>> = {
  contacts: contact,
  changes: { change: 'text', id: 'integer', fields: 'json' },
  messages: messageColumnTypesByPath,
  messageUpdates: messageColumnTypesByPath,
  users: {
    id: 'integer',
    firstName: 'text',
    lastName: 'text',
    email: 'text',
    role: 'text',
    'team.id': 'integer',
    'team.name': 'text',
    restrictions: 'texts',
  },
  customFields: {
    id: 'integer',
    name: 'text',
    slug: 'text',
    description: 'text',
    dataType: 'text',
    allowedValues: 'texts',
  },
  closingNotes: { category: 'text', description: 'text' },
  tags: { name: 'text', contacts: 'integer' },
  templates: {
    id: 'integer',
    name: 'text',
    channelId: 'integer',
    botId: 'integer',
    languageCode: 'text',
    category: 'text',
    status: 'text',
    statusDetail: 'text',
    templateId: 'text',
    namespace: 'text',
    components: 'json',
    bundle: 'json',
  },
};

const fieldTypes: Readonly<Record<string, ExportColumnType>> = {
  number: 'number',
  checkbox: 'boolean',
  date: 'date',
};

/** Builds the columns of a kind: the chosen ones (heading to path), or all of them. */
export function buildExportColumns(
  kind: ExportKind,
  customFields: readonly CustomField[],
  chosen: Readonly<Record<string, string>> | undefined,
): readonly ExportColumn[] {
  const fields = new Map(customFields.map(({ name, dataType }) => [name, fieldTypes[dataType] ?? 'text']));
  const fixed = fixedExportColumns[kind];
  if (chosen === undefined) {
    const all = Object.entries(fixed).map(([path, type]) => ({ name: path, path: path.split('.'), type }));
    if (kind !== 'contacts') return all;
    return [...all, ...[...fields].map(([name, type]) => fieldColumn(customFieldPrefix + name, name, type))];
  }
  return Object.entries(chosen).map(([heading, path]) => {
    if (kind === 'contacts' && path.startsWith(customFieldPrefix)) {
      const name = path.slice(customFieldPrefix.length);
      return fieldColumn(heading, name, fields.get(name) ?? 'text');
    }
    const type = (kind === 'contacts' ? contactColumnTypesByPath[path] : fixed[path]) ?? 'text';
    return { name: heading, path: path.split('.'), type };
  });
}

/** Builds the column of a custom field, whose name may contain dots. */
function fieldColumn(heading: string, field: string, type: ExportColumnType): ExportColumn {
  return { name: heading, path: ['customFields', field], type };
}
