import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { refuse } from '#server/refusals/refuse.ts';

interface FileRequest<Params extends z.ZodObject, Who> {
  who: Who;
  params: z.output<Params>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** For files whose URL is the permission, because it is signed or only reachable from inside. */
export const anyone = async (): Promise<undefined> => undefined;

/**
 * Serves a GET outside the contract: a file, a page or a stream, which the typed client doesn't read. Path parameters are checked here,
 * after `identify` has found the caller; an impossible id gets the same 404 as an absent one (product §8.2).
 */
export function serveFile<Params extends z.ZodObject, Who>(
  app: FastifyInstance,
  path: `/${string}`,
  params: Params,
  identify: (request: FastifyRequest) => Promise<Who>,
  handler: (request: FileRequest<Params, Who>) => Promise<unknown>,
): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const who = await identify(request);
    const parsed = params.safeParse(request.params);
    if (!parsed.success) throw refuse('not_found');
    return handler({ who, params: parsed.data, request, reply });
  });
}
