import { type Problem, type RefusalCode, refusals } from '#contract/refusals.ts';

/** The server said no, and why. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  /** Of the closed list; a code that this build does not know counts as `internal`. */
  readonly code: RefusalCode;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
    this.code = isRefusalCode(problem.code) ? problem.code : 'internal';
  }
}

/** Why no answer came, or none that could be read. */
export type Unreached = 'offline' | 'time-out' | 'no-answer' | 'unreadable';

/** There is no answer to act upon. The call may or may not have been carried out. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly reason: Unreached;

  constructor(reason: Unreached, cause?: unknown) {
    super(unreachedTexts[reason], { cause });
    this.reason = reason;
  }
}

export type CallFailure = Refused | Unreachable;

const unreachedTexts: Record<Unreached, string> = {
  offline: 'You are offline. Check the connection and try again.',
  'time-out': 'The portal took too long to answer. Try again.',
  'no-answer': 'The portal could not be reached. Check the connection and try again.',
  unreadable: 'The portal answered in a form that this page does not know. Load the page again.',
};

function isRefusalCode(code: string): code is RefusalCode {
  return Object.hasOwn(refusals, code);
}
