import { useSignal } from '@preact/signals';
import type { TargetOutline, ValueTableRow } from '../../wire/mapping.ts';
import { formatCount, formatCountWithNoun, formatPercent } from '../figures.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { project } from '../project.ts';
import type { MappingEditorState } from './open-mapping.ts';
import { formatTargetLabel } from './target-words.ts';
import { useStreamedAnswer } from './use-found.ts';
import type { MappingRowsRequest } from './view-state.ts';

interface ValueTableProps {
  readonly target: TargetOutline;
  readonly open: MappingEditorState;
  readonly request: MappingRowsRequest;
}

const step = 25;

/**
 * The table of the texts that the input has for a target, with their counts and the values that they become.
 */
export function ValueTableEditor({ target, open, request }: ValueTableProps) {
  const most = useSignal(step);
  const { value, problem } = useStreamedAnswer('mappingValues', 'values', {
    ...request,
    target: target.name,
  });
  const table = value.value?.values;
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {table === undefined ? (
        problem.value === undefined && <p role="status">Counting the values…</p>
      ) : (
        <>
          <p class="note">
            {table.distinct.atLeast ? 'At least ' : ''}
            {formatCountWithNoun(table.distinct.n, 'distinct value')}
            {table.done ? '' : `, ${formatPercent(table.share, 1)} of the file read`}. An empty field keeps
            the value.
          </p>
          <table class="values">
            <caption class="hidden">Values of {formatTargetLabel(target.name)}</caption>
            <thead>
              <tr>
                <th scope="col">In the file</th>
                <th scope="col" class="n">
                  Rows
                </th>
                <th scope="col">Becomes</th>
                <th scope="col">No value</th>
              </tr>
            </thead>
            <tbody>
              {table.values.slice(0, most.value).map((row) => (
                <ValueRow key={row.text} {...{ row, target, open }} />
              ))}
            </tbody>
          </table>
          {table.values.length > most.value && (
            <button type="button" class="link" onClick={() => (most.value += step)}>
              More values
            </button>
          )}
        </>
      )}
    </>
  );
}

function ValueRow({ row, target, open }: Omit<ValueTableProps, 'request'> & { readonly row: ValueTableRow }) {
  const { text, n, isListed, becomes } = row;
  const shown = text === '' ? 'an empty cell' : text;
  const { key, listed } = tableOf(target);
  const path = [key, listed.find((each) => each.toLowerCase() === text.toLowerCase()) ?? text];
  const set = (value: string | null) => {
    if (value === '') {
      if (isListed) void open.change({ kind: 'removeKey', target: [...target.path], key: path });
    } else void open.change({ kind: 'setKey', target: [...target.path], key: path, value });
  };
  const isOff = project.value.readOnly;
  return (
    <tr>
      <th scope="row">{text === '' ? <span class="note">empty</span> : text}</th>
      <td class="n">{formatCount(n)}</td>
      <td>
        <input
          aria-label={`${shown} becomes`}
          value={becomes ?? ''}
          placeholder={isListed && becomes === null ? 'no value' : text}
          readOnly={isOff}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`${shown} gives no value`}
          checked={isListed && becomes === null}
          disabled={isOff}
          onChange={({ currentTarget }) => set(currentTarget.checked ? null : '')}
        />
      </td>
    </tr>
  );
}

/**
 * Returns the key within the rule that holds the table of values, and the table's texts, which are looked up
 * case-insensitively.
 */
function tableOf({ name, rule }: TargetOutline): {
  readonly key: string;
  readonly listed: readonly string[];
} {
  const keys = new Map(typeof rule === 'object' && rule !== null ? Object.entries(rule) : []);
  const key = name === 'assignee' && !keys.has('values') ? 'users' : 'values';
  const table: unknown = keys.get(key);
  return { key, listed: typeof table === 'object' && table !== null ? Object.keys(table) : [] };
}
