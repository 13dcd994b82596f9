import type { MistakeReporter, YamlValueFiller } from '../../mapping/index.ts';
import { formatDidYouMean } from '../../model/nearest.ts';
import type { FleetWorkspace } from './fleet.ts';

/** Matches `{name}`, but not `{{name}`, which is an escaped brace. */
const placeholder = /(?<!\{)\{([A-Za-z][A-Za-z0-9_-]*)\}/g;

type Path = readonly (string | number)[];

/** The role of a text in a YAML file, which determines how its placeholders are filled in. */
type Role = 'path' | 'text' | 'template' | 'other';

const pathKeys = new Set([
  'import.source.path',
  'import.mapping',
  'import.workspace.sandbox.seed',
  'export.to',
  'export.workspace.sandbox.seed',
]);
const textKeys = /^(import\.source|export\.contacts\.filter|export\.contacts\.search)(\.|$)/;

function roleOf(what: string, path: Path): Role {
  if (what === 'mapping') return 'template';
  const key = path.join('.');
  return pathKeys.has(key) ? 'path' : textKeys.test(key) ? 'text' : 'other';
}

/** Fills a workspace's values into the placeholders of pipelines and mappings. */
export interface PlaceholderFiller {
  readonly fill: YamlValueFiller;
  /** True if a placeholder was replaced. */
  readonly used: () => boolean;
}

/** Creates the filler for one workspace; `known` are the placeholders that have a value in any workspace. */
export function createPlaceholderFiller(
  workspace: Pick<FleetWorkspace, 'name' | 'values'>,
  known: ReadonlySet<string>,
): PlaceholderFiller {
  const values: Readonly<Record<string, string>> = { ...workspace.values, workspace: workspace.name };
  let used = false;
  const fillText = (text: string, role: Role, path: Path, note: MistakeReporter): string =>
    text.replaceAll(placeholder, (whole, word: string) => {
      const value = Object.hasOwn(values, word) ? values[word] : undefined;
      const mistake = mistakeOf(word, value, role, path);
      if (mistake !== undefined) note(path, mistake);
      if (mistake !== undefined || value === undefined) return whole;
      used = true;
      return value;
    });
  const mistakeOf = (word: string, value: string | undefined, role: Role, path: Path) => {
    const ours = value !== undefined || known.has(word);
    if (!ours) return role === 'path' || role === 'text' ? unknown(word, path, known) : undefined;
    if (role === 'other') return `{${word}} is filled in only in paths, filters and mappings`;
    if (value === undefined) return `the workspace ${workspace.name} has no value for {${word}}`;
    return role === 'path' && !isPathPart(value)
      ? `the value of {${word}} of ${workspace.name} cannot be part of a path: it has a slash or begins with a dot`
      : undefined;
  };
  const walk = (what: string, value: unknown, path: Path, note: MistakeReporter): unknown => {
    if (typeof value === 'string') return fillText(value, roleOf(what, path), path, note);
    if (Array.isArray(value)) return value.map((each, index) => walk(what, each, [...path, index], note));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, walk(what, each, [...path, key], note)]),
    );
  };
  return { fill: (what, value, note) => walk(what, value, [], note), used: () => used };
}

function unknown(word: string, path: Path, known: ReadonlySet<string>): string | undefined {
  if (word === 'date' && path.join('.') === 'export.to') return undefined;
  const names = ['workspace', ...known];
  return `unknown placeholder {${word}}${formatDidYouMean(word, names) || `; known are ${names.map((name) => `{${name}}`).join(', ')}`}`;
}

/** True if a text is safe as part of a path: no slash, no leading dot. */
function isPathPart(text: string): boolean {
  return !/[\\/]/.test(text) && !text.startsWith('.');
}

/** Returns the names of the placeholders that have a value in any of the workspaces. */
export function collectPlaceholderNames(
  workspaces: readonly Pick<FleetWorkspace, 'values'>[],
): ReadonlySet<string> {
  return new Set(workspaces.flatMap(({ values }) => Object.keys(values)));
}
