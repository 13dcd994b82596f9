// The reference pages, each as a text made from what the code says of itself.
import { commandsPage } from './commands.mjs';
import { codesPage, formatsPage, jsonPage, runFilesPage } from './lists.mjs';
import { page, paths } from './page.mjs';
import { keysOf, sharedAndOwn, table } from './schema.mjs';

/** Every page by its file name. */
export function referencePages(code) {
  return {
    'mapping.md': mappingPage(code),
    'pipeline.md': pipelinePage(code),
    'fleet.md': fleetPage(code),
    'formats.md': formatsPage(code),
    'data-types.md': dataTypesPage(code),
    'codes.md': codesPage(code),
    'commands.md': commandsPage(code.commands, code.commonOptions),
    'run-files.md': runFilesPage(code),
    'json.md': jsonPage(code),
  };
}

function mappingPage({ mappingSchema }) {
  const { properties, required = [], $defs } = mappingSchema;
  const rules = properties.contact.properties;
  const perField = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, keysOf(rule, $defs)]),
  );
  const { shared, own } = sharedAndOwn(perField);
  const isRuleKey = new Set(shared.map((line) => JSON.stringify(line)));
  const alike = (lines) => lines.filter((line) => isRuleKey.has(JSON.stringify(line)));
  const others = Object.entries(properties).filter(([name]) => !['contact', 'customFields'].includes(name));
  const simple = others.filter(([, schema]) => keysOf(schema, $defs).length === 0);
  const below = others.filter((entry) => !simple.includes(entry));
  const customFields = customFieldKeys(mappingSchema, isRuleKey);
  const top = simple.map(([name, schema]) => ({
    ...keysOf({ properties: { [name]: schema }, required }, $defs)[0],
  }));
  return page(
    'Keys of a mapping',
    `${paths} [First import](../first-import.md) shows a mapping that works, \`longshore schema mapping\` prints the same as a JSON Schema.`,
    ['## The file', '', table(top)],
    [
      '## Every field rule',
      '',
      'The fields of a contact and custom fields take these. They are applied in this order: `html`, `trim`, `replace`, `split`, `case`, `values`, then the value is parsed.',
      '',
      table(shared),
    ],
    ['## contact', '', properties.contact.description ?? '', '', table(contactLines(rules, own))],
    [
      '## customFields',
      '',
      `${properties.customFields.description} Each is a field rule, and takes these besides; what each type takes of its own is under [Data types](data-types.md).`,
      '',
      table(customFields),
    ],
    ...below.map(([name, schema]) => {
      const lines = keysOf(schema, $defs);
      const common = alike(lines);
      const rest = lines.filter((line) => !common.includes(line));
      const names = common.filter(({ path }) => !path.includes('.')).map(({ path }) => `\`${path}\``);
      const asAbove =
        names.length === 0 ? [] : ['', `As in [every field rule](#every-field-rule): ${names.join(', ')}.`];
      const about = `${schema.description ?? ''}${required.includes(name) ? ' Required.' : ''}`;
      return [`## ${name}`, '', about, '', table(rest), ...asAbove];
    }),
  );
}

/** A line for each field of a contact, and below it the keys that not every field has. */
function contactLines(rules, own) {
  const alone = Object.entries(own).map(([name, lines]) => [name, lines]);
  const line = ([name, lines]) => [
    {
      path: name,
      takes: 'a field rule',
      needed: false,
      text: rules[name].description ?? '',
    },
    ...lines.filter(({ text }) => text !== '').map((each) => ({ ...each, path: `${name}.${each.path}` })),
  ];
  return alone.flatMap(line);
}

function customFieldKeys({ properties, $defs }, isRuleKey) {
  const variants = customFieldVariants(properties.customFields, $defs);
  const { shared } = sharedAndOwn(variants);
  const types = Object.keys(variants).map((name) => `\`${name}\``);
  return [
    ...shared.filter((line) => !isRuleKey.has(JSON.stringify(line))),
    {
      path: 'type',
      takes: types.join(', '),
      needed: true,
      text: 'The data type of the custom field.',
    },
  ];
}

function customFieldVariants({ additionalProperties }, defs) {
  const options = additionalProperties.oneOf ?? additionalProperties.anyOf;
  return Object.fromEntries(
    options.map((each) => [
      each.properties.type.const,
      keysOf(each, defs).filter(({ path }) => path !== 'type'),
    ]),
  );
}

function dataTypesPage({ dataTypes, toJsonSchema }) {
  const sections = Object.entries(dataTypes).map(([name, { options }]) => {
    const schema = toJsonSchema(options);
    const lines = keysOf(schema, schema.$defs);
    return [`## ${name}`, '', lines.length === 0 ? 'No keys of its own.' : table(lines)];
  });
  return page(
    'Data types',
    'The `type` of a custom field in a mapping, and the keys that a rule of this type takes beside [those of every rule](mapping.md#every-field-rule).',
    ...sections,
  );
}

function pipelinePage({ pipelineSchema }) {
  const { properties, $defs } = pipelineSchema;
  const importKeys = properties.import.properties;
  const exportKeys = properties.export.properties;
  const sections = (kind, keys, apart) =>
    Object.entries(keys)
      .filter(([name]) => !(name in apart))
      .map(([name, schema]) => [name, schema, keysOf(schema, $defs)])
      .filter(([, , lines]) => lines.length > 0)
      .map(([name, schema, lines]) => [`## ${kind}.${name}`, '', schema.description ?? '', '', table(lines)]);
  const plain = (kind, keys, required) => {
    const lines = Object.entries(keys).flatMap(([name, schema]) =>
      keysOf({ properties: { [name]: schema }, required }, $defs).slice(0, 1),
    );
    return [`## ${kind}`, '', properties[kind].description ?? '', '', table(lines)];
  };
  const elsewhere = { source: true, contacts: true, messages: true };
  return page(
    'Keys of a pipeline',
    `A pipeline has a name (\`pipeline:\`) and either \`import:\` or \`export:\`. ${paths} \`longshore schema pipeline\` prints the same as a JSON Schema.`,
    plain('import', importKeys, properties.import.required),
    [
      '## import.source',
      '',
      `${importKeys.source.description} What each format takes is under [Input formats](formats.md#input-formats).`,
    ],
    ...sections('import', importKeys, elsewhere),
    plain('export', exportKeys, properties.export.required),
    ...['contacts', 'messages'].map((name) => [
      `## export.${name}`,
      '',
      `${exportKeys[name].description} What each format takes besides is under [Formats of exports](formats.md#formats-of-exports).`,
      '',
      table(
        sharedAndOwn(byFormat(exportKeys[name], $defs)).shared.concat(columnsLine(exportKeys[name], $defs)),
      ),
    ]),
    ...sections('export', exportKeys, elsewhere),
  );
}

function fleetPage({ fleetSchema }) {
  const { properties, required, $defs } = fleetSchema;
  const below = Object.entries(properties).filter(([name]) => name !== 'fleet');
  return page(
    'Keys of fleet.yaml',
    `${paths} \`longshore schema fleet\` prints the same as a JSON Schema.`,
    [
      '## The file',
      '',
      table(
        Object.entries(properties).flatMap(([name, schema]) =>
          keysOf({ properties: { [name]: schema }, required }, $defs).slice(0, 1),
        ),
      ),
    ],
    ...below.map(([name, schema]) => [
      `## ${name}`,
      '',
      schema.description ?? '',
      '',
      table(keysOf(schema, $defs).map((line) => ({ ...line, path: line.path.replace(/^\./, '') }))),
    ]),
  );
}

function byFormat(schema, defs) {
  return Object.fromEntries(
    schema.oneOf.map((each) => [
      each.properties.format.const,
      keysOf(each, defs).filter(({ path }) => path !== 'format'),
    ]),
  );
}

/** Columns go with some of the formats only. */
function columnsLine(schema, defs) {
  const lines = Object.entries(byFormat(schema, defs)).flatMap(([name, keys]) =>
    keys.filter(({ path }) => path === 'columns').map((line) => [name, line]),
  );
  if (lines.length === 0) return [];
  const formats = lines.map(([name]) => name).join(', ');
  return [{ ...lines[0][1], text: `${lines[0][1].text} Only with ${formats}.` }];
}
