import type { InputPreviewResult } from '../../wire/inputs.ts';
import { formatRowLine } from '../figures.ts';
import { t, translateEngineText } from '../language.ts';
import { Button } from '../parts/controls.tsx';
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
      <h3>{t('Problems of the file')}</h3>
      {problems.length === 0 && (
        <p>
          {t(
            '{n, plural, one {# row was} other {# rows were}} read without problems. The values in them are checked under Mapping.',
            { n: read.rows },
          )}
        </p>
      )}
      {broken > ofLines && (
        <p>
          {t(
            '{n, plural, one {# record} other {# records}} cannot be read as rows. The first {shown, number}:',
            { n: broken, shown: ofLines },
          )}
        </p>
      )}
      {problems.length > 0 && (
        <ul class="lines aligned scrolls" aria-label={t('Problems of the file')}>
          {problems.map(({ line, code, reason }) => (
            <li key={`${line} ${code}`} title={code}>
              {line === null ? (
                <span class="tag bad">{t('whole file')}</span>
              ) : (
                <Button
                  class="link"
                  label={t('Line {line}', { line: formatRowLine(line) })}
                  onClick={() => onLine(line)}
                />
              )}
              <span>
                <ExternalText text={translateEngineText(reason)} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
