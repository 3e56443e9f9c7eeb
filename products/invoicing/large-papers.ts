import { pathToFileURL } from 'node:url';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { dayOf } from '#shared/domain/day.ts';
import type { Renderer } from '#shared/paper/renderer.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { CheckedBody } from '#products/http/checked-body.ts';
import { isTestCall, sharerOf } from '#products/http/gateway-headers.ts';
import { hasLargeBody } from '#products/http/large-bodies.ts';
import { fault, RequestFaults } from '#products/http/problem.ts';

/** What the program that prepares papers is given: the body as it came, the day in India, and whether it is a specimen. */
export const unpreparedPaper = z.object({ body: z.unknown(), today: z.string(), specimen: z.boolean() });

/** What it returns: what is wrong with the request, or the body as checked and the paper, both as JSON. */
const checkedPaper = z.object({ paper: z.string(), number: z.string() });
const preparedPaper = z.union([z.object({ faults: z.array(fault) }), checkedPaper.extend({ body: z.string() })]);
export type PreparedPaper = z.output<typeof preparedPaper>;

const program = pathToFileURL(builtProgram('prepare-paper')).href;

/** Checks large bodies in a render worker, before this process validates them. Throws RequestFaults for invalid ones. */
export function checkLargePapers(renderer: Renderer, now: Clock): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    if (!hasLargeBody(request)) return;
    const data = JSON.stringify({ body: request.body, today: dayOf(now()), specimen: isTestCall(request) });
    const prepared = preparedPaper.parse(await renderer.prepare(sharerOf(request), program, data));
    if ('faults' in prepared) throw new RequestFaults(prepared.faults);
    const { body, paper, number } = prepared;
    request.body = new CheckedBody(body, { paper, number });
  };
}

/** The paper of a request whose body a worker has checked; undefined for any other. */
export function checkedPaperOf({ body }: FastifyRequest): { paper: string; number: string } | undefined {
  return body instanceof CheckedBody ? checkedPaper.parse(body.result) : undefined;
}
