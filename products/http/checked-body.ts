import { validatorCompiler } from 'fastify-type-provider-zod';
import { boundedFirst } from '#shared/platform/text-bounds.ts';

const compile = boundedFirst(validatorCompiler);

/** A request's body that was checked before the server validates it, with what was made of it. */
export class CheckedBody {
  readonly result: unknown;
  readonly #json: string;

  /** @param json the body as its schema returns it */
  constructor(json: string, result: unknown) {
    this.#json = json;
    this.result = result;
  }

  /** The body itself, by which an Idempotency-Key knows the request. */
  toJSON(): unknown {
    return JSON.parse(this.#json);
  }
}

/** Validates what nothing has checked yet. */
export const validateUnchecked: typeof validatorCompiler = (route) => {
  const validate = compile(route);
  return (data) => (data instanceof CheckedBody ? { value: data } : validate(data));
};
