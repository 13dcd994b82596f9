import type { Package } from './package.ts';
import type { Attributes, XmlHandler } from './xml.ts';

/** A sheet of cells. */
export interface Sheet {
  readonly name: string;
  readonly visible: boolean;
  /** The path of its part. */
  readonly part: string;
}

/** What a workbook says of itself. */
export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** Whether days are counted from 1904 on, as on old Macs. */
  readonly from1904: boolean;
  readonly stringsPart: string;
  readonly stylesPart: string;
}

/** Reads a workbook's own parts; null where the package holds none. */
export async function readWorkbook(parts: Package, signal: AbortSignal): Promise<Workbook | null> {
  const root = await relations(parts, '', signal);
  const path = root.find(({ type }) => type === 'officeDocument')?.target;
  if (path === undefined || !parts.has(path)) return null;
  const book = new WorkbookPart();
  await parts.read(path, book, signal);
  if (!book.isWorkbook) return null;
  const related = await relations(parts, path, signal);
  const partOf = (type: string) => related.find((relation) => relation.type === type)?.target ?? '';
  const sheets = book.sheets.flatMap(({ name, visible, relation }) => {
    const found = related.find(({ id, type }) => id === relation && type === 'worksheet');
    return found === undefined ? [] : [{ name, visible, part: found.target }];
  });
  return {
    sheets,
    from1904: book.from1904,
    stringsPart: partOf('sharedStrings'),
    stylesPart: partOf('styles'),
  };
}

interface Relation {
  readonly id: string;
  /** The last word of its type, which the two editions of the standard share. */
  readonly type: string;
  /** The path of the other part. */
  readonly target: string;
}

async function relations(parts: Package, of: string, signal: AbortSignal): Promise<readonly Relation[]> {
  const cut = of.lastIndexOf('/') + 1;
  const folder = of.slice(0, cut);
  const found: Relation[] = [];
  await parts.read(
    `${folder}_rels/${of.slice(cut)}.rels`,
    {
      open(name, { Id: id, Type: type, Target: target }) {
        if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
        found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved(folder, target) });
      },
    },
    signal,
  );
  return found;
}

function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/').replaceAll('%20', ' ');
}

class WorkbookPart implements XmlHandler {
  readonly sheets: { name: string; visible: boolean; relation: string }[] = [];
  from1904 = false;
  isWorkbook = false;
  #depth = 0;

  open(name: string, attributes: Attributes): void {
    if (this.#depth === 0) this.isWorkbook = name === 'workbook';
    this.#depth += 1;
    if (name === 'workbookPr') this.from1904 = /^(1|true|on)$/i.test(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    const relation = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1] ?? '';
    const visible = !/hidden/i.test(attributes.state ?? '');
    this.sheets.push({ name: attributes.name ?? '', visible, relation });
  }

  close(): void {
    this.#depth -= 1;
  }
}
