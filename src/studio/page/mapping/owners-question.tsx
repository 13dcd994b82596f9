import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { CountedValue } from '../../wire/mapping.ts';
import { t } from '../language.ts';
import { Button, Form } from '../parts/controls.tsx';
import { project } from '../project.ts';
import { suggestionsFor, workspaceUsers } from './workspace-names.tsx';

interface OwnersQuestionProps {
  /** All owners of the column, with the numbers of their rows. */
  readonly owners: readonly CountedValue[];
  /** Sends the user of each owner, as the mapping lists them: null for none. */
  onAnswer(users: Readonly<Record<string, string | null>>): void;
}

/** The owners of a column, each with a field for the user of the workspace; those of the same name are filled in. */
export function OwnersQuestion({ owners, onAnswer }: OwnersQuestionProps) {
  const id = useId();
  const typed = useSignal<Readonly<Record<string, string>>>({});
  const isOff = project.value.readOnly;
  // A number is an id of the old system, so no user is proposed for it.
  const textOf = (owner: string) => typed.value[owner] ?? findUserByName(owner)?.email ?? '';
  const userOf = (owner: string) => findUser(textOf(owner))?.email ?? textOf(owner).trim();
  const isUnknown = (owner: string) =>
    workspaceUsers.value.length > 0 && userOf(owner) !== '' && findUser(textOf(owner)) === undefined;
  return (
    <Form
      onSubmit={() => onAnswer(Object.fromEntries(owners.map(({ value }) => [value, userOf(value) || null])))}
    >
      <ul class="lines">
        {owners.map(({ value, n }, index) => (
          <li key={value} class="with-button">
            <label for={`${id}-${index}`}>
              <b>{value}</b> <span class="note">{t('{n, plural, one {# row} other {# rows}}', { n })}</span>
            </label>
            <input
              // The browser shows it, and sends no answer.
              ref={(field) =>
                field?.setCustomValidity(isUnknown(value) ? t('The workspace has no such user.') : '')
              }
              id={`${id}-${index}`}
              data-answer={index === 0 ? '' : undefined}
              list={suggestionsFor('assignee')}
              value={textOf(value)}
              placeholder={t('no user')}
              autocomplete="off"
              disabled={isOff}
              onInput={({ currentTarget }) =>
                (typed.value = { ...typed.value, [value]: currentTarget.value })
              }
            />
          </li>
        ))}
      </ul>
      <Button type="submit" label={t('Answer')} disabled={isOff} />
    </Form>
  );
}

/** Returns the user of the workspace with the name, e-mail or id that was typed. */
function findUser(text: string) {
  return findUserByName(text) ?? workspaceUsers.value.find(({ id }) => String(id) === text.trim());
}

/** Returns the user of the workspace with that name or e-mail, without regard to case and accents, if exactly one has it. */
function findUserByName(owner: string) {
  const wanted = plainOf(owner);
  const found = workspaceUsers.value.filter(({ firstName, lastName, email }) =>
    [`${firstName} ${lastName}`, `${lastName} ${firstName}`, `${lastName}, ${firstName}`, email].some(
      (name) => plainOf(name) === wanted,
    ),
  );
  return found.length === 1 ? found[0] : undefined;
}

function plainOf(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();
}
