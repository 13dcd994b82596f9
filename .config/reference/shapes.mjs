// The shapes of JSON as the code declares them: interfaces and types, with the sentences above their properties.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { cell } from './schema.mjs';
import { propertyWords } from './words.mjs';

/** The source files of a folder, parsed, by their paths. */
export function sourceFilesIn(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const parsed = names
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => [
      path,
      ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
    ]);
  return new Map(parsed);
}

/** The sections of a type and of those that it names, each once; `printed` remembers them across calls. */
export function shapeSections(name, files, printed) {
  const found = [...files.values()]
    .map((file) => declaredIn(file, name))
    .filter((node) => node !== undefined);
  if (found.length !== 1)
    throw new Error(`${found.length} exported types are called ${name}; one is expected.`);
  return sectionsOf(found[0], files, printed);
}

function sectionsOf(node, files, printed) {
  if (printed.has(node)) return [];
  printed.add(node);
  const about = commentOf(node);
  const nodes = ts.isInterfaceDeclaration(node) ? membersOf(node, files) : [node];
  const named = nodes.flatMap((each) =>
    namedIn(each).map((name) => declarationOf(name, each.getSourceFile(), files)),
  );
  return [
    `### ${node.name.text}`,
    '',
    ...(about === '' ? [] : [about, '']),
    ...body(node, files),
    '',
    ...named.filter((each) => each !== undefined).flatMap((each) => sectionsOf(each, files, printed)),
  ];
}

function body(node, files) {
  if (ts.isTypeAliasDeclaration(node) && !ts.isTypeLiteralNode(node.type)) {
    return ['```ts', `type ${node.name.text} = ${plain(node.type, files)}`, '```'];
  }
  return ['| property | type | meaning |', '|---|---|---|', ...rowsOf(membersOf(node, files), '', files)];
}

/** The properties of an interface or an object, those that it takes from others first. */
function membersOf(node, files) {
  const own = ts.isInterfaceDeclaration(node) ? node.members : node.type.members;
  const taken = (node.heritageClauses ?? []).flatMap(({ types }) =>
    types.flatMap(({ expression, typeArguments = [] }) => {
      const isPick = expression.getText() === 'Pick';
      const name = isPick ? typeArguments[0].getText() : expression.getText();
      const parent = declarationOf(name, node.getSourceFile(), files);
      if (parent === undefined) throw new Error(`${node.name.text} extends ${name}, which was not found.`);
      const picked = isPick ? typeArguments[1].getText() : undefined;
      return membersOf(parent, files).filter(
        ({ name: key }) => picked === undefined || picked.includes(`'${key.getText()}'`),
      );
    }),
  );
  return [...taken, ...own];
}

function rowsOf(members, path, files) {
  return members.filter(ts.isPropertySignature).flatMap((member) => {
    const name = `${path}${member.name.getText()}`;
    const inner = literalIn(member.type);
    const type = (inner?.words ?? plain(member.type, files))
      .replace(/ \| undefined$/, '')
      .replaceAll('|', '\\|');
    return [
      `| \`${name}${member.questionToken === undefined ? '' : '?'}\` | \`${type}\` | ${cell(wordsOf(member))} |`,
      ...(inner === undefined ? [] : rowsOf(inner.members, `${name}.`, files)),
    ];
  });
}

/** An object that is written out where a property has it as its type, or null. */
function literalIn(type) {
  if (ts.isTypeLiteralNode(type)) return { members: type.members, words: 'object' };
  if (!ts.isUnionTypeNode(type)) return undefined;
  const node = type.types.find(ts.isTypeLiteralNode);
  return node && { members: node.members, words: 'object | null' };
}

/** A type as a reader of the JSON needs it. */
function plain(type, files) {
  const file = type.getSourceFile();
  return type
    .getText()
    .replaceAll(/\/\*\*.*?\*\//gs, '')
    .replaceAll(
      /\(typeof (\w+)\)\[number\]/g,
      (all, name) => entriesOf(declarationOf(name, file, files)) ?? all,
    )
    .replaceAll(/\b(\w+)\['(\w+)'\]/g, (all, name, key) => {
      const parent = declarationOf(name, file, files);
      const member = parent && membersOf(parent, files).find((each) => each.name?.getText() === key);
      return member === undefined ? all : aliased(member.type, files).getText();
    })
    .replaceAll(/\breadonly /g, '')
    .replaceAll(/\bReadonly<(Record<[^<>]*>)>/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .replace(/^ ?\| /, '');
}

/** The type behind a name, where it is one of ours. */
function aliased(type, files) {
  if (!ts.isTypeReferenceNode(type)) return type;
  const found = declarationOf(type.typeName.getText(), type.getSourceFile(), files);
  return found !== undefined && ts.isTypeAliasDeclaration(found) ? found.type : type;
}

/** `['a', 'b'] as const` as the type of its entries. */
function entriesOf(node) {
  const list = node?.initializer?.expression;
  if (!list || !ts.isArrayLiteralExpression(list)) return undefined;
  return list.elements.map((each) => each.getText()).join(' | ');
}

function namedIn(node) {
  const names = [];
  const visit = (each) => {
    if (ts.isIndexedAccessTypeNode(each) || ts.isHeritageClause(each)) return;
    if (ts.isTypeReferenceNode(each) && ts.isIdentifier(each.typeName)) names.push(each.typeName.text);
    ts.forEachChild(each, visit);
  };
  ts.forEachChild(node, visit);
  return [...new Set(names)];
}

/** What a name means in a file: declared there, or brought in from another file of ours. */
function declarationOf(name, file, files) {
  const own = declaredIn(file, name);
  if (own !== undefined) return own;
  for (const statement of file.statements) {
    if (statement.moduleSpecifier === undefined) continue;
    const clause = statement.importClause?.namedBindings ?? statement.exportClause;
    const brought = clause?.elements?.find((each) => each.name.text === name);
    const target = files.get(join(dirname(file.fileName), statement.moduleSpecifier.text));
    if (brought !== undefined && target !== undefined)
      return declarationOf((brought.propertyName ?? brought.name).text, target, files);
  }
  return undefined;
}

function declaredIn(file, name) {
  for (const statement of file.statements) {
    const nodes = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
    const found = nodes.find((node) => node.name?.getText() === name);
    const isWanted =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isVariableStatement(statement);
    if (found !== undefined && isWanted) return found;
  }
  return undefined;
}

function wordsOf(member) {
  const key = member.name.getText();
  const words = commentOf(member) || propertyWords[key];
  if (words) return words;
  throw new Error(
    `${member.getSourceFile().fileName}: the property ${key} needs a sentence above it; docs/reference shows it.`,
  );
}

function commentOf(node) {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => (typeof comment === 'string' ? comment.replaceAll(/\s*\n\s*/g, ' ') : ''))
    .join(' ');
}
