import { problemName, readProblem } from './call-problem.ts';
import type { LoggedCall } from './logged-call.ts';
import { isGstinForm, maskedGstin } from './masked-gstin.ts';
import { bytesOfRequestId } from './request-id.ts';
import { isRequestId } from './request-ids.ts';

/** What a customer searches for: a request id, or words in lower case that must all be in a call. */
interface Search {
  /** The bytes of the id in a record. */
  id: Uint8Array | undefined;
  words: string[];
}

export function readSearch(text: string): Search {
  const sought = text.trim();
  if (isRequestId(sought)) return { id: bytesOfRequestId(sought), words: [] };
  const words = sought.split(/\s+/).map((word) => masked(word.replace(/[?#].*$/, '')).toLowerCase());
  return { id: undefined, words };
}

/** The log has no GSTIN in full. */
function masked(word: string): string {
  return word
    .split('/')
    .map((each) => (isGstinForm(each) ? maskedGstin(each) : each))
    .join('/');
}

/** Which calls a search finds. */
export function soughtCalls(text: string): (call: LoggedCall) => boolean {
  const { id, words } = readSearch(text);
  const sought = text.trim();
  if (id !== undefined) return (call) => call.requestId === sought;
  return ({ method, path, problem }) => {
    const name = problem === undefined ? '' : problemName(readProblem(problem));
    const found = `${method} ${path} ${name}`.toLowerCase();
    return words.every((word) => found.includes(word));
  };
}
