import type { ApiRequest } from '#web/features/reference/samples/sample-call.ts';

/**
 * The catalogue's sample call of a product. `sample`: "GET /v1/gstin/27AAPFU0939F1ZV", followed by the body of a POST
 * on the next lines.
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
