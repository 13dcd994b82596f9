import type { Snapshot } from '../../identity/snapshot.ts';
import type { RunRecord } from '../../journal/index.ts';
import { keepRules, type Mapping } from '../../mapping/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import { fieldRules } from '../../steps/field-rules.ts';
import type { ApprovalsOf } from './approved-merges.ts';
import type { BelongingsRules, ImportContext, Scope } from './context.ts';
import { attachesTags } from './needs.ts';
import { ContactTurns } from './person/turns.ts';
import type { ImportRequest } from './request.ts';

/** What the parts of a run have built before its rows begin. */
export interface Built extends Pick<ImportContext, 'journal' | 'pool' | 'signal' | 'limits'> {
  readonly run: RunRecord;
  readonly fields: readonly CustomField[];
  readonly snapshot: Snapshot | undefined;
  readonly approvalsOf: ApprovalsOf | undefined;
}

/** What the rows of a run share, from what was asked for and what was built. */
export function importContext(request: ImportRequest, built: Built): ImportContext {
  const { pipeline, workspace, clock, listen } = request;
  const { mapping, policy, extensions } = pipeline.import;
  const { journal, pool, signal, limits, run, fields, snapshot } = built;
  const scope = scopeOf(request, run, built.approvalsOf);
  const { attachTags } = extensions ?? {};
  return {
    workspace,
    clock,
    listen,
    journal,
    pool,
    signal,
    limits,
    fields,
    snapshot,
    turns: new ContactTurns(),
    rules: fieldRules(fields),
    keep: keepRules(mapping),
    belongings: belongingsRules(mapping.mapping),
    policy: {
      onMatch: policy.onMatch,
      // What a person approved is a conflict still, and looked at as one.
      onConflict: scope.approvalsOf === undefined ? policy.onConflict : 'review',
      identify: mapping.mapping.identify,
      switchboard: policy.maxPeoplePerPhone,
    },
    scope,
    attachTags: mapping.mapping.tags?.attach === 'extension' ? attachTags : undefined,
  };
}

function scopeOf(
  { pipeline, full }: ImportRequest,
  run: RunRecord,
  approvalsOf: ApprovalsOf | undefined,
): Scope {
  const { selection } = run;
  const { deferred, policy } = pipeline.import;
  return {
    hold: new Set<string>(deferred),
    heldOnly: selection.kind === 'deferred',
    full: full || run.full,
    retrying: selection.kind === 'retry',
    resend: policy.uncertain === 'resend' || (selection.kind === 'retry' && selection.resend),
    approvalsOf,
  };
}

function belongingsRules({ lifecycle, conversation, comments, tags }: Mapping): BelongingsRules {
  return {
    stages: lifecycle?.stages,
    allowBackward: lifecycle?.allowBackward === true,
    existingConversations: conversation?.existing === true,
    existingComments: comments !== undefined && !Array.isArray(comments) && comments.existing === 'send',
    tags: tags !== undefined && attachesTags(tags.attach),
  };
}
