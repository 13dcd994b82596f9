import { routes } from '../../wire/routes.ts';
import { yamlCheck, yamlChoice, yamlText } from '../../wire/schemas/project.ts';
import { checkYaml } from '../check-yaml.ts';
import { handle } from '../handler.ts';
import { assertYaml, readText, writeText } from '../yaml-file.ts';

export const yamlHandlers = [
  handle(routes.readYaml, yamlChoice, async ({ path }, { files }) => {
    assertYaml(path);
    return { path, ...(await readText(files.existing(path))) };
  }),
  handle(routes.writeYaml, yamlText, async ({ path, text, etag }, { files }) => {
    assertYaml(path);
    return { path, ...(await writeText(files.place(path), text, etag)) };
  }),
  handle(routes.checkYaml, yamlCheck, async ({ path, text }, { files }) => {
    assertYaml(path);
    const checked = text ?? (await readText(files.existing(path))).text;
    return { findings: checkYaml(checked, path) };
  }),
];
