import { useRouteAnswer } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { Section } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { MappingPage } from './mapping-page.tsx';

/** `#/mapping`: the mappings; `#/mapping/PATH`: one, as one segment or several; `…/56`: its line 56. */
export function MappingView({ rest }: { readonly rest: readonly string[] }) {
  const [, path = rest.join('/'), line] = /^(.+\.ya?ml)\/(\d+)$/.exec(rest.join('/')) ?? [];
  if (path === '') return <Chooser />;
  return <MappingPage key={path} path={path} at={line === undefined ? undefined : Number(line)} />;
}

function Chooser() {
  const { value, problem } = useRouteAnswer('files', {});
  const mappings = value.value?.files.filter(({ kind }) => kind === 'mapping') ?? [];
  return (
    <Section title={t('Mappings of this project')} problem={problem.value}>
      {value.value !== undefined && mappings.length === 0 ? (
        <p>
          {rich(
            'There is no mapping in this project yet. Choose a file in <a>Files</a>, and draft one from it.',
            { a: (parts) => <a href={buildHref('files')}>{parts}</a> },
          )}
        </p>
      ) : (
        <ul class="lines">
          {mappings.map(({ path }) => (
            <li key={path}>
              <a href={buildHref('mapping', path)}>{path}</a>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
