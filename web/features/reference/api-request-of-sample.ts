import type { ApiRequest } from '#web/features/reference/samples/sample-call.ts';

/**
 * The call that the catalogue shows of a product. `sample`: "GET /v1/gstin/27AAPFU0939F1ZV", and on the lines after it what a
 * POST sends.
 */
export function requestOfSample(baseUrl: string, sample: string): ApiRequest {
  const [head = '', ...rest] = sample.trim().split('\n');
  const [method = 'GET', path = ''] = head.split(' ');
  const body = method === 'GET' ? null : rest.join('\n').trim() || '{}';
  return {
    method,
    url: `${baseUrl.replace(/\/$/, '')}${path}`,
    headers: body === null ? [] : [['Content-Type', 'application/json']],
    body,
    savesAs: null,
  };
}
