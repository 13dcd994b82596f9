import type { InputPreviewResult } from '../../wire/inputs.ts';
import { formatCount, formatCountWithNoun } from '../figures.ts';
import { ExternalText } from '../parts/shown-text.tsx';

interface ProblemsProps {
  readonly look: InputPreviewResult;
  /** Shows a line of the file. */
  onLine(line: number): void;
}

/** The problems of a file, with their lines. */
export function FileProblemList({ look: { problems, broken, read }, onLine }: ProblemsProps) {
  const ofLines = problems.filter(({ line }) => line !== null).length;
  return (
    <>
      <h3>Problems of the file</h3>
      {problems.length === 0 && <p>None in the {formatCountWithNoun(read.rows, 'row')} that were read.</p>}
      {broken > ofLines && (
        <p>
          {formatCountWithNoun(broken, 'record')} cannot be read as rows. The first {formatCount(ofLines)}:
        </p>
      )}
      {problems.length > 0 && (
        <ul class="findings file-problems" aria-label="Problems of the file">
          {problems.map(({ line, code, reason }) => (
            <li key={`${line} ${code}`} title={code}>
              {line === null ? (
                <span class="tag bad">whole file</span>
              ) : (
                <button type="button" class="link" onClick={() => onLine(line)}>
                  Line {formatCount(line)}
                </button>
              )}
              <span>
                <ExternalText text={reason} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
