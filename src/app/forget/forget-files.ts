import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  findRun,
  type JournalFile,
  type KnownPerson,
  type RunRecord,
  type WithoutTexts,
  workspacePlace,
} from '../../journal/index.ts';
import { forgetContacts } from '../../sandbox/index.ts';
import { removeDatabase } from '../../storage/sqlite.ts';
import {
  forgetInCopy,
  forgetInPlan,
  forgetInSyncState,
  isInStaging,
  type PersonInDatabase,
} from './databases.ts';
import { forgetInList } from './report/forget-list.ts';
import { forgetInText } from './report/forget-text.ts';
import { personInRun } from './report/person-texts.ts';
import type { WorkFile } from './work-files.ts';

/** Whom to take out of the files of a work dir. */
export interface ForgetInFiles {
  readonly journal: JournalFile;
  readonly person: KnownPerson;
  readonly without: WithoutTexts;
}

/** Takes a person out of a file that is not the journal; whether it was changed or removed. Doing it again does no harm. */
export async function forgetInFile({ path, name, kind }: WorkFile, asked: ForgetInFiles): Promise<boolean> {
  const run = runOf(name, asked.journal);
  switch (kind) {
    case 'list': {
      const person = personInRun(asked.person, run ?? { workspace: -1, memory: '' }, asked.without);
      // The lines of everything together are those of the runs that wrote last.
      return await forgetInList(
        path,
        basename(name) === 'verification-all.csv' ? undefined : run?.id,
        person,
      );
    }
    case 'text':
      return await forgetInText(path, asked.without);
    case 'plan':
      return forgetInPlan(path, inDatabase(asked, run));
    case 'syncState':
      return forgetInSyncState(path, inDatabase(asked, run));
    case 'copy':
      return forgetInCopy(path, inDatabase(asked, undefined));
    case 'staging':
      return isInStaging(path, inDatabase(asked, run)) && removed(path);
    case 'rebuilt':
      return removed(path);
    case 'workspace':
      return forgetInWorkspace(path, asked) > 0;
    case 'page':
      // That of an import is written again from the journal, when the person is out of it.
      return run?.kind === 'import' ? false : await forgetInText(path, asked.without);
    case 'journal':
    case 'lock':
    case 'nothing':
    case undefined:
      return false;
  }
}

/** The run that a file belongs to. */
function runOf(name: string, journal: JournalFile): RunRecord | undefined {
  const [, folder] = /^runs\/([^/]+)\//.exec(name) ?? [];
  const [, database] = /^(?:spool|exports\/[^/]+)\/(.+?)(?:\.plan)?\.db$/.exec(name) ?? [];
  const id = folder ?? database;
  return id === undefined ? undefined : findRun(journal, id);
}

function inDatabase({ person, without }: ForgetInFiles, run: RunRecord | undefined): PersonInDatabase {
  const { contacts, rows, keys } = person;
  return {
    contacts: new Set(contacts.flatMap((each) => (each.workspace === run?.workspace ? each.contact : []))),
    seqs: new Set(rows.flatMap(({ id, seq }) => (id === run?.id ? seq : []))),
    keys: new Set(
      keys.flatMap(({ mapping, key }) => (mapping === run?.memory ? key.replace(/^key:/, '') : [])),
    ),
    without,
  };
}

function forgetInWorkspace(path: string, { journal, person }: ForgetInFiles): number {
  const values = (kind: string) =>
    person.identifiers.flatMap((text) => (text.startsWith(kind) ? text.slice(kind.length) : []));
  return forgetContacts(path, {
    emails: values('email:'),
    phones: values('phone:'),
    ids: (sandboxId) =>
      person.contacts.flatMap(({ workspace, contact }) =>
        workspacePlace(journal, workspace) === `sandbox:${sandboxId}` ? contact : [],
      ),
  });
}

function removed(path: string): boolean {
  if (!existsSync(dirname(path))) return false;
  removeDatabase(path);
  return true;
}
