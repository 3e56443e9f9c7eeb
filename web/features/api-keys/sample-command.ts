import { requestOfSample } from '#web/features/reference/api-request-of-sample.ts';
import { curlSample } from '#web/features/reference/samples/curl.ts';

/** A command for a terminal that calls the product with a key; `request` is the catalogue's sample. */
export function sampleCommand(baseUrl: string, request: string, apiKey: string): string {
  return curlSample({ ...requestOfSample(baseUrl, request), key: apiKey });
}
