// @ts-check
// How the sheet and the payer's phone call the stand-in.

/** @typedef {{ code: string, description: string, reason?: string }} Failure */

/** Thrown by `call` with the API's error object. @param {Failure} failure */
const apiError = (failure) => Object.assign(new Error(failure.description), { failure });

/** Posts what is given, else reads. @param {string} path @param {unknown} [body] */
export async function call(path, body) {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, init);
  const answer = await response.json();
  if (!response.ok) throw apiError(answer.error);
  return answer;
}
