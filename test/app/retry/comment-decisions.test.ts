import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readCommentDecisions } from '../../../src/app/retry/comment-decisions.ts';
import { createUncertainCommentId } from '../../../src/app/run/uncertain-comment.ts';
import { hint } from '../../../src/model/command.ts';
import { createRowLine } from '../../../src/model/row-place.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

it('decides about the comment of each sheet, though both are of the same line, contact and step', async () => {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const path = join(folder, 'uncertain.csv');
  writeFileSync(
    path,
    [
      'resend,_run,_sheet,_line,_key,contactId,identifier,step,text,sentAt',
      'yes,r1,Nord,5,a,7,id:7,comment note,one,',
      'no,r1,Süd,5,a,7,id:7,comment note,two,',
      '',
    ].join('\n'),
  );
  const { decided } = await readCommentDecisions(path, 'r1', (other) => hint`retry ${other}`);
  const of = (sheet: string) =>
    decided.get(createUncertainCommentId({ sheet, line: 5, contact: 7, step: 'comment note' }));
  expect([of('Nord'), of('Süd')]).toMatchObject([
    { resend: true, text: 'one' },
    { resend: false, text: 'two' },
  ]);
});

it('decides about the comment of each row of a line that has several', async () => {
  const { path: folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const path = join(folder, 'uncertain.csv');
  writeFileSync(
    path,
    'resend,_run,_line,_key,contactId,identifier,step,text,sentAt\nyes,r1,5,a,7,id:7,comment note,one,\nno,r1,"5, row 2",a,7,id:7,comment note,two,\n',
  );
  const { decided } = await readCommentDecisions(path, 'r1', (other) => hint`retry ${other}`);
  const of = (row: number) =>
    decided.get(
      createUncertainCommentId({
        sheet: null,
        line: createRowLine(5, row),
        contact: 7,
        step: 'comment note',
      }),
    );
  expect([of(1), of(2)]).toMatchObject([
    { resend: true, text: 'one' },
    { resend: false, text: 'two' },
  ]);
});
