import { type ExplanationsByCode, toExplanationList } from './explanation.ts';

/** The codes of changes that an undo did not revert, or could not confirm as reverted. */
const undoCodes: ExplanationsByCode = {
  'undo.edited': {
    meaning: 'An undo left the value as it is, because it was changed after the run.',
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
    example: 'It was deleted, or merged into another contact.',
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

const repair = 'Fix it in the file and type longshore retry';

/** The codes of records that are not valid rows; nothing of them is sent. */
const records: ExplanationsByCode = {
  'row.ragged': {
    meaning: 'The row has more or fewer cells than the header.',
    example: 'A comma in "Acme, Inc." that is not in quotes makes a fifth cell of a four-column row.',
    next: `${repair}, or set "ragged: pad" where cells are only missing at the end.`,
  },
  'row.quote': {
    meaning: 'The quotes of the row do not match.',
    example: 'A cell begins with a quote that is never closed.',
    next: 'Double the quotes within quoted cells, or set "quote: false" where the file quotes nothing.',
  },
  'row.encoding': {
    meaning: "The row holds bytes or characters that the file's encoding does not have.",
    example: 'A file in UTF-8 with one line that was pasted in Windows-1252.',
    next: 'Save the file in one encoding, or set "encoding" to the right one.',
  },
  'row.tooLarge': {
    meaning: 'The row is larger than maxRowBytes.',
    example: 'A note with a picture in it as text.',
    next: 'Raise "maxRowBytes" of the source if the row is meant to be that large.',
  },
  'row.digitsLost': {
    meaning:
      'In the corrected rejects.csv, a spreadsheet cut or rounded a long number, or wrote it with an exponent.',
    example: 'The phone 4915112345678 was saved as 4,91511E+12.',
    next: 'Write the number in full, format its column as text in the spreadsheet, save, and retry with --from again.',
  },
  'row.json': {
    meaning: 'The record, or a list in a cell of the corrected rejects.csv, is not valid JSON.',
    example: 'A line of an NDJSON file that was cut off.',
    next: `${repair}, or export the file again.`,
  },
  'row.notObject': {
    meaning: 'The record is valid JSON, but not an object, so it has no columns.',
    example: 'A number or a list where a contact should be.',
    next: 'Set "at" to the place of the records in the document, as in at: data.contacts.',
  },
  'row.tooDeep': {
    meaning: 'The record is nested too deeply.',
    example: 'An object in an object, hundreds of levels down.',
    next: 'Leave the property out with "without", or fix the export.',
  },
  'row.longColumn': {
    meaning: 'The record has a column whose name is longer than 1,000 characters.',
    example: 'A JSON object that has texts as its keys.',
    next: 'Leave the property out with "without", or fix the export.',
  },
  'row.damaged': {
    meaning: 'The row of the workbook refers to a text that the workbook does not have.',
    example: 'A workbook that was repaired or cut off.',
    next: 'Open it in a spreadsheet, save it again, then: longshore retry.',
  },
  'row.malformed': {
    meaning: 'A line of the vCard is not a property: it has no name and no colon.',
    example: 'A note that was broken over two lines without a blank at the beginning of the second.',
    next: `${repair}.`,
  },
  'row.stray': {
    meaning: 'The text is outside of every vCard.',
    example: 'A line between END:VCARD and the next BEGIN:VCARD.',
    next: `Remove it if it is not needed; otherwise fix the card before it and type longshore retry.`,
  },
  'row.incomplete': {
    meaning: 'The vCard has no END:VCARD.',
    example: 'A file that was cut off in its last card.',
    next: 'Export the file again, then: longshore retry.',
  },
};

/** The codes about the identity of a row. */
const identity: ExplanationsByCode = {
  'identity.missing': {
    meaning: 'The row has nothing that a contact can be found by: no valid e-mail and no valid phone.',
    example: 'A company without a person, or only a phone that too many people of the input seem to share.',
    next: 'Add an e-mail or a phone, or map another column to one of them.',
  },
  'identity.duplicate': {
    meaning: 'Several rows of the input are one person, and policy.duplicates takes one of them or none.',
    example: 'Two rows with the same e-mail under duplicates: first.',
    next: 'Set policy.duplicates to merge if they should become one contact, or remove the rows.',
  },
  'identity.folded': {
    meaning: 'The row is the same person as an earlier row and was merged into it (outcome "folded").',
    example: 'Lines 7 and 12 have the same e-mail: line 12 adds its phone to the contact of line 7.',
    next: 'Nothing, unless they are two people: then give each an e-mail or a phone of its own.',
  },
  'identity.conflict': {
    meaning: 'The e-mail and the phone of the row belong to different contacts of the workspace.',
    example: 'ada@example.com is contact 1, and her phone is contact 2.',
    next: 'Open merge-proposals.csv, write yes where two contacts are one person, and import with --approve.',
  },
  'identity.ask': {
    meaning:
      'The row may be the same person as another row or as a contact, and the evidence does not decide it.',
    example: 'Line 7 has the phone of contact 12, and another first name; neither has an e-mail.',
    next: 'Open same-person.csv, write same or different under answer, and import with --approve.',
  },
  'identity.forgotten': {
    meaning:
      'The row may be the same person as another row of the input, whose person asked to be forgotten, so nothing of it was sent.',
    example: 'Line 8 has the phone of line 7, which was forgotten, and another first name.',
    next: 'If they are two people, take the phone or e-mail that both have out of this row and import again; if they are one, nothing.',
  },
  'identity.byPhoneAlone': {
    meaning:
      'The row was taken for a contact by its phone (or the address of a role) alone: that contact has no other identifier.',
    example: 'A contact came by WhatsApp as "Sunny"; the row with that phone is Anna Meier.',
    next: 'Nothing, unless they are two people: undo the run, and set policy.onMatch: fill or take the phone out of the row.',
  },
  'phone.shared': {
    meaning:
      'The phone belongs to another person, of the input or of the workspace, so this row goes without it.',
    example:
      'Mother and son have one phone: it stays with the person who has it in the workspace, else with the one of the lowest key.',
    next: 'Nothing, unless they are one person: then give both rows the same name or e-mail.',
  },
  'email.shared': {
    meaning:
      'The e-mail belongs to another person, of the input or of the workspace, so this row goes without it.',
    example: 'Two people of an office have office@example.com.',
    next: 'Nothing, unless they are one person: then give both rows the same name.',
  },
  'key.reused': {
    meaning:
      'The key belongs to another person: the names and everything else of the two have nothing in common.',
    example: 'Key 17 was Anna Meier, and is Ben Smith in this file.',
    next: 'Give each person a key of their own; for a file of another system set source.system in the pipeline.',
  },
  'identity.exists': {
    meaning: 'The contact exists already, and policy.onMatch: reject leaves existing contacts alone.',
    example: 'A row of a person who wrote to the workspace last week.',
    next: 'Set policy.onMatch to update, fill or skip if that is not what you want.',
  },
  'identity.stale': {
    meaning: 'A contact or the row changed since it was proposed or asked about, so nothing was sent.',
    example: 'A colleague edited contact 2 after merge-proposals.csv was written.',
    next: 'Import again without --approve: it is proposed again, with the current values.',
  },
};

/** The codes about people who were forgotten, and contacts that were deleted. */
const deleted: ExplanationsByCode = {
  'person.forgotten': {
    meaning: 'The person was removed with "longshore forget", so nothing was sent (outcome "skipped").',
    example: 'Ada asked to be forgotten, and the nightly export of the old system still has her row.',
    next: 'Remove the row from the input. To import the person again, set policy.onDeleted: recreate.',
  },
  'contact.deleted': {
    meaning:
      'An earlier import knew the contact, and it was deleted in the workspace since, so nothing was sent (outcome "skipped").',
    example: 'A colleague deleted the contact, and the row has changed in the old system.',
    next: 'Remove the row from the input. To create the contact again, set policy.onDeleted: recreate.',
  },
};

/** The codes of an import that applies a plan. */
const plans: ExplanationsByCode = {
  'plan.stale': {
    meaning:
      'The plan that the import applies was made when the contact was different, so nothing was sent (outcome "stale").',
    example: 'A colleague edited the contact after the plan was made.',
    next: 'Make a new plan (longshore plan), look at it, and import that one.',
  },
};

/** The codes of answers of the workspace. */
const answers: ExplanationsByCode = {
  'workspace.refused': {
    meaning: 'The workspace refused the row, for the reason quoted.',
    example: '400: phone number is not valid.',
    next: `${repair}.`,
  },
  'workspace.failed': {
    meaning: 'A request of this row failed, while others succeeded.',
    example: 'The workspace answered 500 each time, and limits.attempts is used up.',
    next: 'Type longshore retry: only what is still open is sent.',
  },
};

/** The codes of the steps that follow a contact's own fields, and of the check of created contacts at the end. */
const steps: ExplanationsByCode = {
  'tags.tooMany': {
    meaning: 'The contact would have more than 10 tags.',
    example: 'A row with 11 segments, or 4 new tags for a contact that has 8.',
    next: 'Set tags.overflow to first10, or leave tags out with values: { internal: null }.',
  },
  'identity.doubled': {
    meaning:
      'The same person was also created outside of the import while it ran, and with policy.workspace: exclusive no row looks its person up.',
    example:
      'A form on the website created ada@example.com between the reading of the contact list and this row.',
    next: 'Merge the two contacts that it names in the workspace. Set policy.workspace to shared where others create contacts.',
  },
  'lifecycle.unknown': {
    meaning: 'The stage is not one of lifecycle.stages of the mapping.',
    example: 'Churned, where stages are New Lead, Hot Lead and Customer.',
    next: 'Add it to stages, or map it to one of them under values.',
  },
  'lifecycle.backward': {
    meaning: 'The contact is in a later stage already, and stays there.',
    example: 'The row has New Lead, the contact is a Customer.',
    next: 'Nothing, unless contacts may move back: then set allowBackward: true.',
  },
  'lifecycle.unlisted': {
    meaning: 'The contact was left in its stage, because one of the two stages is not in lifecycle.stages.',
    example: 'The contact is in VIP, a stage that the mapping does not list.',
    next: 'Add the stage to stages if the import may move contacts out of it.',
  },
  'assignee.unknown': {
    meaning: 'The workspace has no such user.',
    example: 'The owner left the company and is no user of the workspace.',
    next: 'Map the name to a user under assignee.users, or to null to leave the contact unassigned, or set assignee.unknown to the e-mail of whoever gets the contact.',
  },
  'conversation.unknown': {
    meaning: 'The state of the conversation is neither open nor closed.',
    example: 'The column says snoozed.',
    next: 'Map it under conversation.status.values.',
  },
  'conversation.tooLong': {
    meaning: 'The summary of the conversation is longer than 512 characters.',
    example: 'A template that inserts a whole note.',
    next: 'Shorten the template, or set overflow: cut.',
  },
  'conversation.blocked': {
    meaning: 'The contact is blocked, so its conversation was left alone.',
    example: 'A spammer that the old system lists as a customer.',
    next: 'Nothing, or unblock the contact in the workspace and retry.',
  },
  'comments.left': {
    meaning: 'The comment was not sent, because the contact existed before this import.',
    example: 'Another import may have added the same note already.',
    next: 'Set comments: { existing: send } and import again if the contacts do not have these comments yet.',
  },
  'comments.edited': {
    meaning: 'The text of a comment that was sent before has changed; a comment cannot be changed.',
    example: 'The template of the mapping was reworded between two runs.',
    next: 'Add the new text by hand. Another name or key in the mapping would send every comment of that name again.',
  },
  'comments.uncertain': {
    meaning:
      'The comment may have been added: the answer was lost, and it cannot be verified through the API.',
    example: 'The connection broke between sending and the answer.',
    next: 'Look for it in the workspace, write no (it is there) or yes (send it again) under "resend" in uncertain.csv, then: longshore retry --decided uncertain.csv.',
  },
  'comments.confirmed': {
    meaning:
      'The comment may have been added, and it was decided that it is in the workspace: it was not sent again.',
    example: 'uncertain.csv had no under "resend".',
    next: 'Nothing. No run can check it: comments cannot be read through the API.',
  },
  'comments.split': {
    meaning: 'The comment is longer than 1,000 characters and was sent in several parts, in order.',
    example: 'A note of 3,000 characters becomes "(1/4) …" to "(4/4) …".',
    next: 'Nothing: no text is lost. A shorter text in the mapping makes one comment of it.',
  },
  'comments.repeated': {
    meaning:
      'Two rows of one person have the same comment, with the same name, key and text; it was sent once. They may be in two files: the row had another key or e-mail when it was sent.',
    example: 'An export that lists a person twice, with the same note.',
    next: 'Nothing: the text is at the contact. Where both are wanted, give comments a key in the mapping.',
  },
  'comments.noKey': {
    meaning:
      'A row of the list has no key, so its comment could not be told apart from others and was left out.',
    example: 'A call without an id, where the mapping says key: id.',
    next: 'Use another column as the key, or fill it in the input.',
  },
  'comments.sameKey': {
    meaning: 'Two rows of the list have the same key; the comment of the second was left out.',
    example: 'Two calls with the id 17.',
    next: 'Use a column as the key that is different in every row.',
  },
};

/** The codes of field values, for any field. */
const fields: ExplanationsByCode = {
  '<field>.invalid': {
    meaning: 'The text is not a value of this field.',
    example: '"bob at example.com" as an e-mail, "31.02.2024" as a date, "n/a" as a number.',
    next: `${repair}, or set onInvalid: drop to import the row without the value.`,
  },
  '<field>.missing': {
    meaning: 'The field is required, and the row has nothing for it.',
    example: 'A new contact without a first name.',
    next: 'Give the field a default in the mapping, or read it from one more column: from: [Name, Company].',
  },
  '<field>.notAllowed': {
    meaning: 'The value is not allowed for this field.',
    example: 'Platinum, where the list has gold and silver.',
    next: "Map it under values, or add it to the field's list (allowed, and the field of the workspace).",
  },
  '<field>.tooLong': {
    meaning: 'The value is longer than the field may be.',
    example: 'A note of 3,000 characters in a text field.',
    next: 'Send it as a comment instead, or shorten it with replace.',
  },
  '<field>.extension': {
    meaning: 'The extension of the phone number was left out: a contact has none.',
    example: '+1 202 555 0143 ext. 12 becomes +12025550143.',
    next: 'Nothing, or map the column to a custom field, too, if the extension matters.',
  },
  '<field>.rounded': {
    meaning: 'The phone was imported, and ends in so many zeros that a spreadsheet may have rounded it.',
    example: '+4917162000000, where the old system has +4917162345678.',
    next: 'Compare it with the old system. If it is wrong, export the column as text, and import the new file.',
  },
  '<field>.countryUnknown': {
    meaning:
      'The phone has no country code, and the country of the row is not understood, so the number could be of any country.',
    example: 'The phone is 0171 1509813, and the country column says Deutschl.',
    next: 'Add the word under contact.phone.country.values in the mapping, or fix the country in the input, and retry.',
  },
  'firstName.default': {
    meaning:
      'The row has no first name and its contact did not exist, so it was created with the default of the mapping. Nothing was left out.',
    example:
      'A row with only an e-mail becomes "Unknown", with firstName: { from: First Name, default: Unknown }.',
    next: 'Before the import, fill in the name in the input or add another column to contact.firstName.from; after it, import the corrected input, or change the name in the workspace.',
  },
  '<field>.countryAssumed': {
    meaning:
      'The phone has no country code and the row no country, so it was read as a number of the default country. Nothing was left out.',
    example: '0171 1509813 with country: { default: DE } becomes +491711509813.',
    next: 'Check whether these people are of that country; if not, map a country column under contact.phone.country.',
  },
  '<field>.other': {
    meaning: 'The row has a further phone or e-mail, and a contact has one: the first valid one.',
    example: 'Mobile and Phone are two numbers, or a cell has "0171 1509813 / 0711 123456".',
    next: 'Add also: Further phones to the rule to keep them in a custom field.',
  },
  '<field>.folded': {
    meaning: 'Rows of one person have different values, and a field can have only one: this one is left out.',
    example: 'Two rows of Ada have two companies: the one of the last row stays.',
    next: 'Nothing, or set keep on the field in the mapping; make a comment of each row where rows are bookings, orders or tickets; map a further e-mail or phone to a custom field.',
  },
  '<field>.kept': {
    meaning:
      'The contact has another value, and policy.onMatch: fill writes only what is empty there, so the value of the row was left out.',
    example: 'The contact is in the stage Customer; the row has New Lead.',
    next: 'Nothing, or set policy.onMatch: update if the values of the file are to replace those of the contacts.',
  },
  '<field>.leftOut': {
    meaning:
      'The value belongs to another contact, so it was left out (onConflict: prefer-email or prefer-phone).',
    example: 'The phone of the row is that of contact 2, and the row went to contact 1 by its e-mail.',
    next: 'Check whether the two contacts are one person; onConflict: review proposes to merge them.',
  },
};

/** The explanations of all codes that a row can have. */
export const rowCodeExplanations = toExplanationList({
  ...records,
  ...identity,
  ...deleted,
  ...plans,
  ...answers,
  ...steps,
  ...fields,
  ...undoCodes,
});
