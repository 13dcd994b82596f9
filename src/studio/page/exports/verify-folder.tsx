import { useSignal } from '@preact/signals';
import type { FolderVerification } from '../../wire/history.ts';
import { callRoute } from '../call.ts';
import { t } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { SelectField } from '../parts/controls.tsx';
import { Notice, Section } from '../parts/notice.tsx';

const words = {
  matched: t('as written'),
  different: t('different'),
  missing: t('missing'),
  notListed: t('not of this export'),
};

/** A section that verifies the folder of an export against its manifest, and shows the result. */
export function VerifyFolderSection({ folders }: { readonly folders: readonly string[] }) {
  const chosen = useSignal<string | undefined>(undefined);
  const folder = chosen.value ?? folders[0];
  if (folder === undefined) return null;
  return (
    <Section title={t('Verify an export')}>
      <SelectField
        label={t('Folder')}
        value={folder}
        options={folders.map((each) => [each, each])}
        onChoose={(each) => (chosen.value = each)}
      />
      <CommandWithResult
        key={folder}
        command={{ command: 'verify', folder }}
        label={t('Verify')}
        busy={t('Reading every file…')}
        load={(id) => callRoute('folderVerification', { id })}
        show={(found) => <Found found={found} />}
      />
    </Section>
  );
}

function Found({ found: { exitCode, files } }: { readonly found: FolderVerification }) {
  return (
    <>
      <Notice
        tone={exitCode === 0 ? 'good' : 'bad'}
        message={
          exitCode === 0
            ? t('Every file is as it was written.')
            : t('Files of this export are different or missing.')
        }
      />
      <ul class="lines aligned" aria-label={t('Files of the export')}>
        {files.map(({ name, verdict, reason }) => (
          <li key={name}>
            <span class={`tag ${verdict === 'matched' ? 'good' : verdict === 'notListed' ? 'quiet' : 'bad'}`}>
              {words[verdict]}
            </span>
            <span>
              {name}
              {reason !== null && <span class="note"> {reason}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
