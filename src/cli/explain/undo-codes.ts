import type { Explanations } from './explanation.ts';

/** What an undo leaves as it is. */
export const undoCodes: Explanations = {
  'undo.edited': {
    meaning: 'An undo left the value as it is, because somebody changed it after the run.',
    example: 'The import set Plan to gold, and a colleague set it to silver since.',
    next: 'Nothing if the new value is right; otherwise change it in the workspace.',
  },
  'undo.later': {
    meaning: 'An undo left the value as it is, because a later run wrote it.',
    example: 'Last night’s import wrote the field again.',
    next: 'Undo the later run first, then this one.',
  },
  'undo.firstName': {
    meaning: 'The contact had no first name before the run, and an update must send one.',
    example: 'The import named a contact that was known by its phone alone.',
    next: 'Change it in the workspace if that matters.',
  },
  'undo.conversation': {
    meaning: 'An undo left the conversation as it is.',
    example: 'The import closed it, and the undo was typed without --conversations.',
    next: 'Undo the run again with --conversations, or change it in the workspace.',
  },
  'undo.notCleared': {
    meaning: 'The value was empty before the run, and the workspace did not clear it.',
    example: 'The undo sent an empty last name, and the contact still has the one of the import.',
    next: 'Clear it in the workspace.',
  },
  'undo.unread': {
    meaning: 'The undo sent the value empty and could not read the contact back.',
    example: 'The workspace did not answer.',
    next: 'Check in the workspace that it is empty.',
  },
  'undo.gone': {
    meaning: 'The contact is no longer there, so nothing was put back.',
    example: 'Somebody has deleted it, or merged it into another contact.',
    next: 'Nothing if that was meant.',
  },
  'undo.created': {
    meaning: 'The run created the contact, so the undo left it whole.',
    example: 'A row created the contact, and another row of the same run updated it.',
    next: 'Delete it in the workspace: undo-kept.csv lists it.',
  },
  'undo.failed': {
    meaning: 'The workspace did not accept the change back.',
    example: 'The value of before is no longer allowed in the list of the custom field.',
    next: 'Fix the cause in the workspace and undo the run again: only what is left is sent.',
  },
};
