import type { ApiRequest } from '#web/features/reference/api-request.ts';

/** A call with the key that goes with it; null: the program takes it from the environment. */
export interface SampleCall extends ApiRequest {
  key: string | null;
}

/** The environment variable from which a sample takes the key. */
export const keyVariable = 'API_KEY';
