/** The files of a run by their name in the summary. */
export const fileNames = {
  summary: 'summary.json',
  rejects: 'rejects.csv',
  dropped: 'dropped.csv',
  uncertain: 'uncertain.csv',
  mergeProposals: 'merge-proposals.csv',
  approvedMerges: 'approved-merges.csv',
  contacts: 'contacts.csv',
  contactTags: 'contact-tags.csv',
  notTaken: 'not-taken.csv',
  gone: 'gone.csv',
  undoKept: 'undo-kept.csv',
  verification: 'verification.csv',
  verificationPage: 'verification.html',
  verificationData: 'verification.json',
  report: 'report.html',
  log: 'log.ndjson',
} as const;
