/** The variables of a canned answer, written as `{{name}}`. The database has the same list. */
export const answerVariables = ['name', 'business', 'plan', 'ends', 'thread'] as const;

export const maxAnswerTitle = 80;

const known = new RegExp(`\\{\\{(${answerVariables.join('|')})\\}\\}`, 'g');

/** A part of an answer that looks like a variable but isn't one; undefined if there is none. */
export const unknownVariable = (answer: string): string | undefined =>
  /\{\{[^{}]{0,40}(\}\})?/.exec(answer.replaceAll(known, ''))?.[0];

/** Puts the values in, as they are; a variable without a value stays, for the operator to replace. */
export const fillAnswer = (answer: string, values: ReadonlyMap<string, string>): string =>
  answer.replaceAll(known, (variable, name: string) => values.get(name) ?? variable);

/** A variable that was not replaced: the text is not ready to be sent. */
export const variableLeft = (text: string): string | undefined => text.match(known)?.[0];
