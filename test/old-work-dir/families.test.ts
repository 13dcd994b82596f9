import { expect, it } from 'vitest';
import { atOldProject, type OldProject } from './old-project.ts';

const finished = '20261120-020000-family';
const cut = '20261120-020001-cut';

/** Under the version that left it, mother and son of one phone were one person. */
const atFamilies = (play: (project: OldProject) => Promise<void>) => atOldProject(play, [], 'families');

const names = ({ sandbox }: OldProject) =>
  sandbox.contacts().map(({ id, firstName, lastName }) => `${id} ${firstName} ${lastName}`);

const left = [
  '6 Ines Newname',
  '7 Ines Newname',
  '8 Tim Roth',
  '9 Paul Weber',
  '10 Tim Roth',
  '11 Paul Weber',
];

it('resumes a run that it began by the rules by which it began, and overwrites no person with another', () =>
  atFamilies(async (project) => {
    expect(await project.json(3, 'resume', cut)).toMatchObject({
      rows: { read: 5, folded: 1, created: 2, updated: 1, rejected: 1, notReached: 0 },
    });
    expect(names(project)).toEqual(left);
    expect(project.writes().filter((write) => !write.endsWith('/comment'))).toEqual([]);
    expect(project.sandbox.contacts().map(({ comments }) => comments.length)).toEqual([0, 0, 2, 1, 2, 1]);
  }));

it('asks about rows whose keys lead to one contact, and sends nothing of what is the same', () =>
  atFamilies(async (project) => {
    const again = ['import', 'family.yaml', '--workspace', project.sandbox.baseUrl];
    expect(await project.json(3, ...again)).toMatchObject({
      rows: { read: 5, unchanged: 3, proposed: 1, rejected: 1 },
    });
    expect(project.writes()).toEqual([]);
    project.edit('family.csv', 'Paul,Weber', 'Paul,Newname');
    expect(await project.json(3, ...again)).toMatchObject({
      rows: { read: 5, updated: 1, unchanged: 2, proposed: 1, rejected: 1 },
    });
    expect(project.writes()).toEqual(['PUT /contact/id:9']);
  }));

it('retries the row that was rejected, once it is corrected, and no other', () =>
  atFamilies(async (project) => {
    project.edit('family.csv', 'not-an-address', 'kurt.f@example.com');
    expect(await project.json(0, 'retry', finished)).toMatchObject({ rows: { read: 1, created: 1 } });
    expect(names(project)).toEqual([...left, expect.stringMatching(/^\d+ Kurt Kern$/)]);
  }));

it('takes back what the run overwrote', () =>
  atFamilies(async (project) => {
    await project.json(3, 'undo', finished, '--yes');
    expect(project.writes()).toEqual(['PUT /contact/id:6']);
    expect(names(project)).toEqual(['6 Ines Oldname', ...left.slice(1)]);
  }));
