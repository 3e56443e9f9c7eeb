import { act, type ActionOptions, show } from '#cli/operator.ts';
import {
  addNote,
  changeCannedAnswer,
  createCannedAnswer,
  listCannedAnswers,
  listNotes,
  removeCannedAnswer,
  removeNote,
} from '#shared/contract/operator/support.ts';
import { istTime } from '#shared/domain/day.ts';
import { indented } from './read.ts';

export async function printNotes(customerId: string, options: { json?: boolean }): Promise<void> {
  await show(listNotes, { customerId }, options, ({ notes }) =>
    notes.length === 0
      ? ['No notes.']
      : notes.flatMap(({ id, threadId, writtenBy, createdAt, note }) => [
          `${id}  ${istTime(new Date(createdAt))}  ${writtenBy}  ${threadId ?? 'in general'}`,
          ...indented(note),
        ]),
  );
}

export const note = (of: string, text: string, options: ActionOptions): Promise<void> =>
  act(addNote, { of, note: text }, options, {
    did: 'noted',
    effect: (preview) => [`For operators only, about ${preview.threadId ?? preview.customerId}:`, ...indented(text)],
    question: 'Keep this note?',
    done: ({ noteId }) => [`${noteId ?? ''} is kept.`],
  });

export const forgetNote = (noteId: string, options: ActionOptions): Promise<void> =>
  act(removeNote, { noteId }, options, {
    did: 'removed',
    effect: (removed) => [`By ${removed.writtenBy}, about ${removed.customerId}:`, ...indented(removed.note)],
    question: 'Remove this note for good?',
    done: ({ id }) => [`${id} is removed.`],
  });

export async function printAnswers(options: { json?: boolean }): Promise<void> {
  await show(listCannedAnswers, {}, options, ({ answers }) =>
    answers.length === 0
      ? ['No canned answers.']
      : answers.flatMap(({ id, title, answer }) => [`${id}  ${title}`, ...indented(answer)]),
  );
}

export const makeAnswer = (title: string, answer: string, options: ActionOptions): Promise<void> =>
  act(createCannedAnswer, { title, answer }, options, {
    did: 'made',
    effect: () => [title, ...indented(answer)],
    question: 'Make this answer?',
    done: ({ answerId }) => [`${answerId ?? ''} is made.`],
  });

export const changeAnswer = (answerId: string, title: string, answer: string, options: ActionOptions): Promise<void> =>
  act(changeCannedAnswer, { answerId, title, answer }, options, {
    did: 'changed',
    effect: ({ titleBefore }) => [`${titleBefore} becomes ${title}:`, ...indented(answer)],
    question: 'Change this answer?',
    done: () => [`${answerId} is changed.`],
  });

export const forgetAnswer = (answerId: string, options: ActionOptions): Promise<void> =>
  act(removeCannedAnswer, { answerId }, options, {
    did: 'removed',
    effect: ({ title }) => [title],
    question: 'Remove this answer?',
    done: () => [`${answerId} is removed.`],
  });
