import { builtInFormat, formatOf, type NumberFormat } from './number-format.ts';
import type { Attributes, XmlHandler } from './xml.ts';

/** The number formats of a workbook's cell styles, gathered from its styles part. */
export class Styles implements XmlHandler {
  readonly #codes = new Map<number, string>();
  readonly #formats: NumberFormat[] = [];
  readonly #known = new Map<number, NumberFormat>();
  #within = '';

  /** The format of the cells of a style; plain where there is no such style. */
  format(style: number): NumberFormat {
    return this.#formats[style] ?? { kind: 'plain' };
  }

  open(name: string, attributes: Attributes): void {
    if (name === 'numFmts' || name === 'cellXfs') this.#within = name;
    else if (name === 'numFmt' && this.#within === 'numFmts')
      this.#codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
    else if (name === 'xf' && this.#within === 'cellXfs')
      this.#formats.push(this.#byId(Number(attributes.numFmtId ?? 0)));
  }

  close(name: string): void {
    if (name === this.#within) this.#within = '';
  }

  #byId(id: number): NumberFormat {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const code = this.#codes.get(id);
    const format = code === undefined ? builtInFormat(id) : formatOf(code);
    this.#known.set(id, format);
    return format;
  }
}
