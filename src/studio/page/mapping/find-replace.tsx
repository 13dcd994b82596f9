import { t } from '../language.ts';
import { Button, Checkbox, Form } from '../parts/controls.tsx';

/** A text to find in values, and the text to put in its place. */
export interface Replacement {
  /** '' finds nothing. */
  readonly find: string;
  readonly into: string;
  /** True if only a whole value is found, not a part of it. */
  readonly isWhole: boolean;
  readonly matchesCase: boolean;
}

/** Returns a value with every occurrence of the text replaced; undefined if the value does not have it. */
export function replaceInValue(
  value: string,
  { find, into, isWhole, matchesCase }: Replacement,
): string | undefined {
  if (find === '') return undefined;
  const plain = find.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const pattern = new RegExp(isWhole ? `^${plain}$` : plain, matchesCase ? 'gu' : 'giu');
  return value.search(pattern) < 0 ? undefined : value.replace(pattern, () => into);
}

interface FindReplaceProps {
  readonly replacement: Replacement;
  /** The values in which the text was found, and their rows. */
  readonly found: { readonly values: number; readonly rows: number };
  readonly isOff: boolean;
  onChange(replacement: Replacement): void;
  onReplace(): void;
}

/** The fields of a replacement, the number of values that it changes, and the button that makes it. */
export function FindReplace({ replacement, found, isOff, onChange, onReplace }: FindReplaceProps) {
  const field = (key: 'find' | 'into', label: string) => (
    <label>
      {label}
      <input
        value={replacement[key]}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ ...replacement, [key]: currentTarget.value })}
      />
    </label>
  );
  const canReplace = !isOff && found.values > 0;
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open || onChange({ ...replacement, find: '' })}>
      <summary>{t('Find and replace')}</summary>
      <Form
        class="row selected"
        aria-label={t('Find and replace')}
        isOff={!canReplace}
        onSubmit={() => onReplace()}
      >
        {field('find', t('Find'))}
        {field('into', t('Replace with'))}
        <Checkbox
          label={t('Whole values only')}
          checked={replacement.isWhole}
          onChange={(isWhole) => onChange({ ...replacement, isWhole })}
        />
        <Checkbox
          label={t('Match case')}
          checked={replacement.matchesCase}
          onChange={(matchesCase) => onChange({ ...replacement, matchesCase })}
        />
        <Button
          type="submit"
          label={t('Replace in {n, plural, one {# value} other {# values}}', { n: found.values })}
          aria-disabled={!canReplace}
        />
        <span class="note" role="status">
          {replacement.find !== '' &&
            t('{n, number} found, in {rows, plural, one {# row} other {# rows}}', {
              n: found.values,
              rows: found.rows,
            })}
        </span>
      </Form>
    </details>
  );
}
