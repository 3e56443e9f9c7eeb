import { Refusal, RequestFaults } from '#products/http/problem.ts';

/** The sample of the product page; its PAN does not begin with ZZZ. */
const publicSample = '27AAPFU0939F1ZV';

/**
 * True when a test key may check this text. Only numbers that cannot exist: those whose PAN begins with ZZZ, in any
 * State and with any check character. A text of the wrong length is allowed, since the response only says that it is
 * too long or too short.
 */
function isSampleGstin(text: string): boolean {
  const gstin = text.trim().toUpperCase();
  return gstin.length !== 15 || gstin === publicSample || gstin.slice(2).startsWith('ZZZ');
}

/** Describes which numbers test keys may ask for. */
const samplesOnly =
  'A test key checks sample numbers only: those whose PAN begins with ZZZ, such as 27ZZZCA0001A1Z4. Use a live key for others.';

/** Throws a 404 for a number that is not a sample. */
export function requireSampleGstin(text: string): void {
  if (!isSampleGstin(text)) throw new Refusal(404, samplesOnly, 'not-in-sandbox');
}

/** Throws a 422 that lists each number that is not a sample. */
export function requireSampleGstins(texts: readonly string[]): void {
  const faults = texts.flatMap((text, index) =>
    isSampleGstin(text) ? [] : [{ in: 'body' as const, pointer: `/gstins/${index}`, message: samplesOnly }],
  );
  if (faults.length > 0) throw new RequestFaults(faults);
}
