import type { InputPreviewResult } from '../../wire/inputs.ts';
import { rich, t } from '../language.ts';
import { ScrollArea } from '../parts/lists.tsx';
import { ExternalText, showInvisibleCharacters } from '../parts/shown-text.tsx';

interface TablesProps {
  readonly tables: NonNullable<InputPreviewResult['tables']>;
}

/** The joins of a dump's tables, as a diagram and as text. */
export function TableDiagram({ tables }: TablesProps) {
  const boxes = layoutTableBoxes(tables);
  const used = new Set(boxes.flatMap(({ table, via }) => [table, via ?? table]));
  const unused = tables.all.filter(({ name }) => !used.has(name));
  const right = Math.max(...boxes.map(({ x }) => x)) + tableBoxWidth + 2;
  const bottom = Math.max(...boxes.map(({ y }) => y)) + tableBoxHeight + 2;
  return (
    <>
      <h3>{t('Tables')}</h3>
      <div class="beside">
        <ScrollArea label={t('Tables and their joins, as a picture')}>
          <svg
            class="picture"
            role="img"
            aria-label={boxes.map(sentence).join(' ')}
            width={right}
            height={bottom}
            viewBox={`-1 -1 ${right} ${bottom}`}
          >
            {boxes.map((box) => box.from !== null && <Line key={box.name} box={box} from={box.from} />)}
            {boxes.map((box) => (
              <g key={box.name} transform={`translate(${box.x} ${box.y})`} class={box.from ? '' : 'main'}>
                <rect width={tableBoxWidth} height={tableBoxHeight} rx={7} />
                <text x={12} y={19} class="name">
                  {short(box.name)}
                </text>
                <text x={12} y={35}>
                  {short(boxText(box))}
                </text>
              </g>
            ))}
          </svg>
        </ScrollArea>
        <ul>
          {boxes.map((box) => (
            <li key={box.name}>
              <ExternalText text={sentence(box)} /> <span class="note">{rowsOf(box.table, tables)}</span>
            </li>
          ))}
          {unused.length > 0 && (
            <li>
              {rich('Not used: {tables}', {
                tables: <ExternalText text={unused.map(({ name }) => name).join(', ')} />,
              })}
            </li>
          )}
        </ul>
      </div>
    </>
  );
}

function Line({ box, from }: { readonly box: TableBox; readonly from: TableBox }) {
  const [x1, y1] = [from.x + 24, from.y + tableBoxHeight];
  const [x2, y2] = [box.x, box.y + tableBoxHeight / 2];
  return <path stroke-width={box.many ? 4 : 1.5} d={`M${x1} ${y1} V${y2} H${x2}`} />;
}

function boxText({ from, many, table }: TableBox): string {
  if (from === null) return t('the people');
  return many ? t('many from {table}', { table }) : t('one from {table}', { table });
}

function sentence({ name, table, from, many, on, via }: TableBox): string {
  if (from === null) return t('{name} has the people.', { name });
  const how = via === undefined ? on : t('{columns}, through {table}', { columns: on, table: via });
  const values = { name, table, parent: from.name, how };
  return many
    ? t('{name}: many rows of {table} for each of {parent} ({how}).', values)
    : t('{name}: one row of {table} for each of {parent} ({how}).', values);
}

function rowsOf(table: string, { all }: TablesProps['tables']): string {
  const found = all.find(({ name }) => name === table);
  return found === undefined ? '' : t('{n, plural, one {# row} other {# rows}}', { n: found.rows });
}

const mostCharacters = 24;

function short(text: string): string {
  const shown = showInvisibleCharacters(text);
  return shown.length > mostCharacters ? `${shown.slice(0, mostCharacters - 1)}…` : shown;
}

type Found = NonNullable<InputPreviewResult['tables']>;
type Join = Found['joins'][string];

interface TableBox {
  /** Its name in a mapping: `contacts`, `account`, `account.owner`. */
  readonly name: string;
  readonly table: string;
  /** The parent table; null for the main table. */
  readonly from: TableBox | null;
  readonly many: boolean;
  /** The columns that join it: `account_id = id`. */
  readonly on: string;
  /** The link table between the two; undefined for none. */
  readonly via: string | undefined;
  readonly x: number;
  readonly y: number;
}

const tableBoxWidth = 190;
const tableBoxHeight = 46;
const [indent, step] = [48, 62];

/** Lays out the tables as a tree, each below its parent and one step to the right. */
function layoutTableBoxes({ main, joins }: Found): readonly TableBox[] {
  const root = { name: main, table: main, from: null, many: false, on: '', via: undefined, x: 0, y: 0 };
  const boxes: TableBox[] = [root];
  const add = (all: Found['joins'], from: TableBox): void => {
    for (const [name, join] of Object.entries(all)) {
      const box: TableBox = {
        ...{ name: from === root ? name : `${from.name}.${name}`, table: join.table, from },
        ...{ many: join.many ?? false, on: columnsOf(join), via: join.via?.table },
        ...{ x: from.x + indent, y: boxes.length * step },
      };
      boxes.push(box);
      add(join.join ?? {}, box);
    }
  };
  add(joins, root);
  return boxes;
}

function columnsOf({ on, via }: Join): string {
  const pairs = { ...on, ...via?.on };
  return Object.entries(pairs)
    .map(([one, other]) => `${one} = ${other}`)
    .join(', ');
}
