import { type Age, type BaseTable, goes, own, perItem, type TableFact } from './fact-builders.ts';

const businessRecord: Age = { keep: 'messages from customers are business records' };

/** Those of `tableFacts` that are about threads with support. */
export const supportFacts = {
  support_threads: {
    age: businessRecord,
    customer: own('support', goes),
    changes: 'status changed_at read_at customer_token provider_token assigned_to',
    secret: 'customer_token provider_token',
    afterRestore: { stays: 'a token adds mails to its thread, as long as there is one' },
  },
  // The hash recognises a mail that comes twice.
  support_messages: {
    age: businessRecord,
    customer: own('support', goes),
    secret: 'mail_hash',
    afterRestore: { stays: 'lets nobody in' },
  },
  support_files: {
    age: businessRecord,
    customer: own('support', goes, {
      leaveOut: ['content'],
      file: { column: 'content', key: 'id', nameColumn: 'name', folder: 'support-files' },
    }),
  },
  // Section 11 of the DPDP Act asks for a summary: the export says of each note that it is there, and not what colleagues told each other.
  support_notes: {
    age: businessRecord,
    customer: own('support', goes, { leaveOut: ['note', 'written_by'] }),
  },
  canned_answers: { age: perItem, customer: 'texts of the provider', changes: 'title answer changed_at' },
} satisfies Partial<Record<BaseTable, TableFact>>;
