import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { YamlFinding } from '../../wire/project.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { t } from '../language.ts';
import { Button, Form } from '../parts/controls.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import { ExportFormFields } from './export-fields.tsx';
import { buildPipelinePath, type ExportFormValues, formatPipelineYaml } from './pipeline-yaml.ts';

const fresh: ExportFormValues = {
  ...{ name: 'nightly', format: 'csv', contacts: true, messages: false, objects: false },
  ...{
    filter: 'none',
    value: '',
    folder: 'exports/nightly/{date}',
    incremental: false,
    keep: '',
    baseUrl: '',
  },
};

/** The time from the last keystroke until the text is checked (ms). */
const pause = 300;

/** A form for a new export pipeline, beside the YAML that it writes. */
export function NewExportForm() {
  const form = useSignal(fresh);
  const findings = useSignal<readonly YamlFinding[]>([]);
  const { problem, attempt } = useAsyncAction();
  const [text, path] = [formatPipelineYaml(form.value), buildPipelinePath(form.value)];
  useEffect(() => {
    const gone = new AbortController();
    const timer = setTimeout(() => {
      callRoute('checkYaml', { path, text }, gone.signal).then(
        (answer) => (findings.value = answer.findings),
        (error: unknown) => {
          if (!gone.signal.aborted) problem.value = toRequestProblem(error);
        },
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [text, path]);
  const write = async () => {
    await callRoute('writeYaml', { path, text, etag: null });
    goTo(buildHref('exports', form.value.name.trim()));
  };
  const wrong = findings.value.filter(({ verdict }) => verdict === 'wrong');
  return (
    <Section title={t('New export')}>
      <Form class="beside" isOff={wrong.length > 0} onSubmit={() => attempt(write)}>
        <div>
          <ExportFormFields
            form={form.value}
            onChange={(change) => (form.value = { ...form.value, ...change })}
          />
        </div>
        <div>
          <h3 id="yaml-head">
            <code>{path}</code>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by the keyboard */}
          <pre tabIndex={0}>{text}</pre>
          <div aria-live="polite">
            {wrong.map(({ text: mistake, line }) => (
              <Notice
                key={`${line} ${mistake}`}
                tone="bad"
                message={line === undefined ? mistake : t('Line {line}: {mistake}', { line, mistake })}
              />
            ))}
          </div>
          <ProblemNotice problem={problem.value} />
          <p class="buttons">
            <Button
              type="submit"
              label={t('Write the file')}
              disabled={project.value.readOnly}
              aria-disabled={wrong.length > 0}
            />
          </p>
        </div>
      </Form>
    </Section>
  );
}
