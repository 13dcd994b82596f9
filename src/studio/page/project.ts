import { signal } from '@preact/signals';
import type { LabelledRowState, ProjectInfo } from '../wire/project.ts';
import { formatCountry } from './figures.ts';
import { locale, translateEngineText } from './language.ts';

/** The project that the studio was started in; empty values until the session has begun. */
export const project = signal<ProjectInfo>({
  ...{
    folder: '',
    name: '',
    readOnly: true,
    hasFleet: false,
    version: '',
    opened: null,
    workspace: null,
    formats: [],
    countries: [],
    rowStates: [],
  },
  typing: { program: 'longshore', allowEnv: [] },
});

const sandboxKey = 'longshore-in-sandbox';

/** True while this tab works with the local sandbox in place of a workspace; kept over a reload. */
export const worksInSandbox = signal(sessionStorage.getItem(sandboxKey) !== null);

/** Sets whether this tab works with the local sandbox. */
export function setWorksInSandbox(works: boolean): void {
  worksInSandbox.value = works;
  if (works) sessionStorage.setItem(sandboxKey, 'true');
  else sessionStorage.removeItem(sandboxKey);
}

/** Returns the field `workspace` of a command of this tab: the sandbox, or nothing for the connected workspace. */
export function workspaceOfTab(): { readonly workspace?: 'sandbox' } {
  return worksInSandbox.value ? { workspace: 'sandbox' } : {};
}

/** Returns the codes of all countries with their names, in the order of these. */
export function listCountryOptions(): readonly (readonly [code: string, name: string])[] {
  const named = project.value.countries.map((code) => [code, formatCountry(code)] as const);
  return named.sort(([, a], [, b]) => a.localeCompare(b, locale));
}

/** Returns every state of rows, in the order of display, with the number of rows in it. */
export function listRowStateCounts(
  rows: Readonly<Record<string, number>>,
): readonly (LabelledRowState & { readonly n: number })[] {
  const counts = new Map<string, number>(Object.entries(rows));
  return project.value.rowStates.map((words) => ({ ...words, n: counts.get(words.state) ?? 0 }));
}

/** Returns the label of a state of rows; its name for one that is not known. */
export function labelOfRowState(state: string): string {
  return project.value.rowStates.find((each) => each.state === state)?.label ?? state;
}

/** Returns the project with the labels of its row states in the page's language. */
export function translateRowStates(info: ProjectInfo): ProjectInfo {
  const rowStates = info.rowStates.map((words) => ({
    ...words,
    label: translateEngineText(words.label),
    meaning: translateEngineText(words.meaning),
  }));
  return { ...info, rowStates };
}
