import { routes } from '../../wire/routes.ts';
import { yamlCheck, yamlChoice, yamlText } from '../../wire/schemas/project.ts';
import { handle } from '../handler.ts';
import { assertYaml, readText, writeText } from '../yaml/yaml-file.ts';

export const yamlHandlers = [
  handle(routes.readYaml, yamlChoice, async ({ path }, { files }) => {
    assertYaml(path);
    return { path, ...(await readText(files.existing(path))) };
  }),
  handle(routes.writeYaml, yamlText, async ({ path, text, etag }, { files }) => {
    assertYaml(path);
    return { path, ...(await writeText(files.place(path), text, etag)) };
  }),
  handle(routes.checkYaml, yamlCheck, async ({ path, text }, { files, yaml }) => {
    assertYaml(path);
    const checked = text ?? (await readText(files.existing(path))).text;
    return { findings: await yaml.run('check', { text: checked, name: path }) };
  }),
];
