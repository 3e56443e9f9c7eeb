import { z } from 'zod';
import { type GatewayCode, isCounted, isGatewayCode, replayedHeader } from '#shared/domain/metering.ts';
import type { CallAnswer } from '#web/features/reference/send-call.ts';

/** The meaning of a response for its caller. */
export interface CallOutcome {
  /** Did it take one from the quota? */
  counted: boolean;
  /** Units of quota that it used, where calls may cost other than one. */
  units: number | undefined;
  /** A test key's call: handled by the sandbox, and never counted. */
  isTest: boolean;
  /** The message of an error response, and the request fields it refers to. */
  message: string | undefined;
  faults: { where: string; message: string }[];
  /** The gateway's own name of a refusal, such as key-invalid. */
  code: GatewayCode | undefined;
  /** The remaining quota of the day and of the cycle, from the response headers. */
  left: { daily: QuotaLeft | undefined; monthly: QuotaLeft | undefined };
  retryAfterSeconds: number | undefined;
}

export interface QuotaLeft {
  remaining: number;
  limit: number;
}

const problem = z.looseObject({
  message: z.string().optional(),
  detail: z.string().optional(),
  code: z.string().optional(),
  errors: z.array(z.looseObject({ in: z.string(), pointer: z.string(), message: z.string() })).optional(),
});

/** Interprets a response: was it counted, and what to do after an error? */
export function outcomeOf({ status, headers, text }: Pick<CallAnswer, 'status' | 'headers' | 'text'>): CallOutcome {
  const header = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1];
  const isProblem = header('content-type')?.startsWith('application/problem+json') ?? false;
  const told = problem.safeParse(isProblem ? parsed(text) : undefined).data;
  // A government system's codes, which a product passes on, are no words of the gateway's.
  const code = told?.code !== undefined && isGatewayCode(status, told.code) ? told.code : undefined;
  const isTest = header('octroi-mode') === 'test';
  const seconds = Number(header('retry-after'));
  const units = header('octroi-units');
  return {
    counted: !isTest && code === undefined && units !== '0' && isCounted(status, header(replayedHeader) !== undefined),
    units: units === undefined ? undefined : Number(units),
    isTest,
    message: told?.message ?? told?.detail,
    faults: (told?.errors ?? []).map((fault) => ({
      where: `${fault.in} ${fault.pointer}`.trim(),
      message: fault.message,
    })),
    code,
    left: quotasLeft(header('ratelimit'), header('ratelimit-policy')),
    retryAfterSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
  };
}

function quotasLeft(remaining = '', policy = ''): CallOutcome['left'] {
  const read = (name: string): QuotaLeft | undefined => {
    const left = new RegExp(`"${name}";r=(\\d+)`).exec(remaining)?.[1];
    const limit = new RegExp(`"${name}";q=(\\d+)`).exec(policy)?.[1];
    return left === undefined || limit === undefined ? undefined : { remaining: Number(left), limit: Number(limit) };
  };
  return { daily: read('daily'), monthly: read('monthly') };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
