import { z } from 'zod';

/** `application/problem+json` (RFC 9457) with the `message` that the specification requires. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  message: z.string(),
  /** The request id, to quote to support. Absent from 404s, which are identical byte for byte. */
  requestId: z.string().optional(),
  /** The invalid fields, as JSON pointers, when the code is `invalid_request`. */
  errors: z.array(z.object({ pointer: z.string(), message: z.string() })).optional(),
});

/** The body of every refusal. */
export type Problem = z.output<typeof problemSchema>;
