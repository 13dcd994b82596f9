import { benchExportFormats } from '../export-formats/export-formats.mjs';
import { benchFormats as benchInputFormats } from '../formats/formats.mjs';

/** Every input format beside csv-parse and every format of exports beside csv-stringify, as tables of their own. */
export async function benchFormats({ formats: { rows } }) {
  await benchInputFormats(rows);
  await benchExportFormats(rows);
}
