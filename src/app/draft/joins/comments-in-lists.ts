import type { SourceItem } from '../../../model/row.ts';
import { parseJsonArrayRows } from '../../../sources/json/array-rows.ts';
import { createLazyRow } from '../../../sources/rows.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import type { JoinedListCommentRule } from './join-plan.ts';
import { buildCommentRuleFromTable, isNoteTable } from './listed-comments.ts';
import { sampleTable } from './sampled-table.ts';
import { splitTableName } from './table-words.ts';

type Read = (signal: AbortSignal) => AsyncIterable<readonly SourceItem[]>;

const mostLists = 5;

/** Returns the rules for comments made from lists of notes in the cells of a table, such as `notes` of each JSON record. */
export async function findCommentsInLists(
  { columns }: TableProfile,
  read: Read,
  signal: AbortSignal,
): Promise<readonly JoinedListCommentRule[]> {
  const lists = columns.filter(
    (column) =>
      column.share('objects') > 0 && !/[[\]{}]/.test(column.name) && isNoteTable(splitTableName(column.name)),
  );
  const rules: JoinedListCommentRule[] = [];
  for (const { name } of lists.slice(0, mostLists)) {
    const elements = { read: () => elementsOf(name, read(signal)) };
    const sample = await sampleTable(elements, { name, items: 0, columns: null }, signal);
    const found = buildCommentRuleFromTable(sample, []);
    if (found !== undefined) rules.push({ each: name, ...found.comments });
  }
  return rules;
}

/** Yields the elements of a list in each row as rows of their own. */
async function* elementsOf(
  list: string,
  batches: AsyncIterable<readonly SourceItem[]>,
): AsyncGenerator<readonly SourceItem[], void, undefined> {
  for await (const batch of batches)
    yield batch.flatMap((item) =>
      item.kind === 'row'
        ? (parseJsonArrayRows(item.cell(list)) ?? []).map((element) =>
            createLazyRow(item.line, () => new Map(element.entries())),
          )
        : [],
    );
}
