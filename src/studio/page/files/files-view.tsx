import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import { InputChooser } from './choose-input.tsx';
import { InputPage } from './input-page.tsx';

/** `#/files`: the choice of an input; `#/files/PATH`: its preview. */
export function FilesView({ rest: [path] }: { readonly rest: readonly string[] }) {
  const { opened } = project.value;
  const isInput = opened !== null && !/\.ya?ml$/i.test(opened);
  const shown = path ?? (isInput ? opened : undefined);
  return (
    <>
      <InputChooser chosen={shown} onChosen={(path) => goTo(buildHref('files', path))} />
      {shown !== undefined && <InputPage key={shown} path={shown} />}
    </>
  );
}
