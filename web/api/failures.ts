import type { RefusalCode } from '#shared/contract/refusal-codes.ts';
import type { Problem } from '#shared/contract/problem.ts';
import { failureTexts } from '#web/api/texts.ts';
import { translateKnown } from '#web/language/language.ts';

/** The messages of refusals; few visits see one. */
export const refusalsInHindi = async () => (await import('#web/api/refusals/texts.hi.ts')).hindi;

/** The server said no, and why. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  /** Of the closed list, which stays out of the pages: a code of a later version is none that this one asks for. */
  readonly code: RefusalCode;

  constructor(problem: Problem) {
    super(translateKnown(problem.message));
    this.problem = problem;
    this.code = isRefusalCode(problem.code) ? problem.code : 'internal';
  }
}

/** Why there is no response, or no readable one. */
export type Unreached = 'offline' | 'time-out' | 'no-answer' | 'unreadable';

/** There is no response to act upon. The call may or may not have been carried out. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  readonly reason: Unreached;

  constructor(reason: Unreached, cause?: unknown) {
    super(failureTexts[reason], { cause });
    this.reason = reason;
  }
}

export type CallFailure = Refused | Unreachable;

/** Told by its shape. */
const isRefusalCode = (code: string): code is RefusalCode => /^[a-z_]+$/.test(code);
