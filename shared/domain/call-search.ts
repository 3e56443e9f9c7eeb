import { problemName, readProblem } from './call-problem.ts';
import type { CallType } from './logged-call.ts';
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

/** Which types of calls a search may find: all, if it is for a request id. */
export function soughtTypes(text: string): (type: CallType) => boolean {
  const { id, words } = readSearch(text);
  if (id !== undefined) return () => true;
  return ({ method, path, problem }) => {
    const name = problem === undefined ? '' : problemName(readProblem(problem));
    const found = `${method} ${path} ${name}`.toLowerCase();
    return words.every((word) => found.includes(word));
  };
}
